import { beforeAll, describe, expect, it } from "vitest";
import {
  cleanUpAfterwards,
  demoKey,
  NO_LIMITS,
  preparedDataDir,
  type Product,
  readEnvelope,
  readDemo,
  send,
  type Sent,
  startProduct,
} from "@/tests/support/product/product";
import { PlainBrowser } from "@/tests/support/product/plain-browser";
import { exchange } from "@/tests/support/product/raw-http";

cleanUpAfterwards();

const NEXT = "node_modules/next/dist/bin/next";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
/** OWASP's headers for REST: responses are data that must not be run, framed or read by other sites. */
const OF_INTERFACE = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

let node: Product;
let next: Product;
let key = "";

beforeAll(async () => {
  [node, next] = await Promise.all([
    startProduct({ dataDir: preparedDataDir(), env: NO_LIMITS }),
    startProduct({
      dataDir: preparedDataDir(),
      env: NO_LIMITS,
      args: (port) => [NEXT, "start", "--port", String(port), "--hostname", "127.0.0.1"],
    }),
  ]);
  key = demoKey(node);
});

const named = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(OF_INTERFACE).map((name) => [name, headers[name]]));

describe("every API response has the security headers", () => {
  const requests: Sent[] = [
    "/health",
    "/v1/key",
    "/v1/orders",
    "/v1/openapi.json",
    "/v1/nothing",
    "/v1/orders/%",
    "/api/v1/key",
    "/api/nothing",
    "/V1/orders",
    "/v1/orders?limit=0",
    "/v1/markets/none",
    "/api/cron/reconcile",
    "/api/ui/summary",
    "/v2/orders",
  ].map((path) => ({ method: "GET", path }));
  requests.push(
    { method: "PUT", path: "/v1/orders" },
    { method: "POST", path: "/v1/orders", body: "{" },
    { method: "POST", path: "/v1/orders", body: " ".repeat(20_000) },
  );

  it.each(requests.map((one) => [`${one.method} ${one.path}`, one] as const))(
    "%s",
    async (_name, sent) => {
      for (const product of [node, next]) {
        for (const asked of [sent, { ...sent, key: demoKey(product) }]) {
          const answer = await send(product.port, asked);
          expect(named(answer.headers)).toEqual(OF_INTERFACE);
        }
      }
    },
  );

  it("for the dashboard's reads and downloads", async () => {
    for (const product of [node, next]) {
      const browser = new PlainBrowser(product.port);
      expect(await browser.signIn(readDemo(product.dataDir))).toBe(200);
      for (const path of ["/api/ui/summary", "/api/ui/v1/orders", "/api/ui/orders.csv"]) {
        const { status, headers } = await browser.ask(path);
        expect([status, named(Object.fromEntries(headers))], path).toEqual([200, OF_INTERFACE]);
      }
    }
  });

  it.each([
    ["what is not HTTP", "BET /v1/orders HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["an absolute target", "GET http://x/v1/orders HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["CONNECT", "CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["headers too large", `GET /health HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(40_000)}\r\n\r\n`],
  ])("%s, which no handler sees", async (_name, bytes) => {
    const { answers } = await exchange(node.port, bytes, { untilClosed: true });
    expect(answers.map(({ headers }) => named(headers))).toEqual([OF_INTERFACE]);
  });
});

describe("a path outside the API", () => {
  it.each(["/v2/orders", "/orders.json", "/favicon.png", "/docs/none", "/API/none", "/v1x"])(
    "%s is the envelope's 404 to a program and a page to a browser, on either mount",
    async (path) => {
      for (const { port } of [node, next]) {
        for (const accept of ["*/*", "application/json", undefined]) {
          const headers = accept === undefined ? {} : { accept };
          const answer = await send(port, { method: "GET", path, headers });
          expect([answer.status, answer.text]).toEqual([
            404,
            expect.stringContaining("ROUTE_NOT_FOUND"),
          ]);
          readEnvelope(answer);
          expect((await send(port, { method: "POST", path, headers, body: "{}" })).status).toBe(
            404,
          );
        }
        const page = await send(port, { method: "GET", path, headers: { accept: BROWSER } });
        expect([page.status, page.headers["content-type"]]).toEqual([
          404,
          expect.stringContaining("text/html"),
        ]);
      }
    },
  );

  it("a page's path rejects requests for JSON", async () => {
    for (const path of ["/", "/orders", "/markets/none", "/docs", "/docs/orders"]) {
      const headers = { accept: "application/json" };
      const answer = await send(node.port, { method: "GET", path, key, headers });
      expect([answer.status, answer.text], path).toEqual([
        404,
        expect.stringContaining("ROUTE_NOT_FOUND"),
      ]);
    }
  });
});
