import type { OutgoingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  cleanUpAfterwards,
  readData,
  demoKey,
  expectCleanBooks,
  listMarkets,
  newKey,
  NO_LIMITS,
  NoAnswer,
  preparedDataDir,
  type Product,
  send,
  type Sent,
  startProduct,
  tradableTokens,
} from "@/tests/support/product/product";
import { exchange } from "@/tests/support/product/raw-http";

cleanUpAfterwards();

const NEXT = "node_modules/next/dist/bin/next";
/**
 * Headers that may differ: Next adds `Vary: rsc, next-router-…` and can compress; the others belong to
 * the connection or differ between responses. All other headers are the same on both.
 */
const NOT_COMPARED = new Set([
  "vary",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "date",
  "x-request-id",
]);
/** Headers of pages only. */
const OF_PAGES = new Set([
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "referrer-policy",
  "x-frame-options",
]);

let node: Product;
let next: Product;
let key = "";
/** Ids that replace `:name` in the table's paths. Both servers have a copy of the same data. */
const ids: Record<string, string> = {};
let order: Record<string, unknown> = {};

beforeAll(async () => {
  // The same frozen clock and public address, so that both return the same.
  const env = {
    ...NO_LIMITS,
    PAPER_CLOCK: new Date().toISOString(),
    NEXTAUTH_URL: "http://ante.test",
  };
  const source = await startProduct({ dataDir: preparedDataDir(), env });
  await layGrounds(source);
  await source.stop();
  [node, next] = await Promise.all([
    startProduct({ dataDir: preparedDataDir(source.dataDir), env }),
    startProduct({
      dataDir: preparedDataDir(source.dataDir),
      env,
      args: (port) => [NEXT, "start", "--port", String(port), "--hostname", "127.0.0.1"],
    }),
  ]);
});

afterAll(async () => {
  for (const server of [node, next]) {
    await server.stop();
    await expectCleanBooks({ DATA_DIR: server.dataDir });
  }
});

async function layGrounds(source: Product): Promise<void> {
  key = demoKey(source);
  const [market] = await listMarkets(source.port, key, 1);
  const [tokenId] = await tradableTokens(source.port, key);
  ids["market"] = market?.id ?? "";
  ids["token"] = tokenId ?? "";
  order = { tokenId, action: "BUY", orderType: "market", amount: 3 };
  const resting = { tokenId, action: "BUY", orderType: "limit", price: 0.1, shares: 10 };
  for (const [name, body] of Object.entries({ filled: order, resting, other: resting })) {
    const sent = { method: "POST", path: "/v1/orders", key, body };
    ids[name] = String(readData(await send(source.port, sent))["orderId"]);
  }
}

interface Row {
  method?: string;
  path: string;
  /** The demo account's key by default. */
  auth?: string | string[] | null;
  headers?: OutgoingHttpHeaders;
  /** A function is called in the test, when the order exists. */
  body?: string | (() => unknown);
}

const READS: Row[] = [
  "/health",
  "/v1/account/balance",
  "/v1/positions",
  "/v1/orders",
  "/v1/orders?limit=1",
  "/v1/orders?limit=1&status=open&market=x%20y",
  "/v1/orders/open",
  "/v1/orders/open?onlyFirstPage=true",
  "/v1/orders/:filled",
  "/v1/orders/:resting",
  "/v1/markets",
  "/v1/markets?limit=2&sort=closing&search=the%20",
  "/v1/markets/:market",
  "/v1/markets/:market/book",
  "/v1/markets/:market/history?interval=1h",
  "/v1/fills",
  "/v1/fills?limit=1",
  "/v1/activity?limit=2",
  "/v1/key",
  "/v1/openapi.json",
  "/api/health",
  "/api/v1/orders?limit=1",
  "/api/v1/orders/:filled",
].map((path) => ({ path }));

const REFUSED_READS: Row[] = [
  "/v1/orders?limit=0",
  "/v1/orders?limit=1&limit=2",
  "/v1/orders?nextCursor=nonsense",
  "/v1/orders/open?id=",
  "/v1/orders/open?onlyFirstPage=yes",
  "/v1/orders/ord_00000000000000000000000000",
  "/v1/markets/none",
  "/v1/markets/:market/book?tokenId=1",
  "/v1/nothing",
  "/v1",
  "/v1/",
  "/health/",
  "/health/x",
  "/v1/orders/",
  "/v1/orders/open/",
  "/v1/orders/a/b",
  "/v1/orders.json",
  "/v1/orders.rsc",
  "/v1/orders/open.segments/_tree.segment.rsc",
  "/V1/orders",
  "/v1/ORDERS",
  "/Health",
  "/%761/orders",
  "/v1/%6frders",
  "/v1/orders%2fopen",
  "/v1/orders/%00",
  "/v1/orders/%F0%9F%8E%B2",
  "/v1/orders/..%2fkey",
  "/v1/orders/../key",
  "/v1/orders/%2e%2e/key",
  "/api/v1/nothing",
  "/api/v1/orders/",
  "/API/v1/orders",
  "/api/V1/orders",
  "/api/nothing",
  "/api/v1",
  "/v1/orders/%",
  "/v1/orders/%ff",
  "/v1/orders/%e0%a4%a",
  "/%",
  "/v1/orders?%",
].map((path) => ({ path }));

const UNAUTHENTICATED: Row[] = [
  ...[
    "/v1/orders",
    "/v1/nothing",
    "/V1/orders",
    "/%761/orders",
    "/api/v1/orders",
    "/API/V1/key",
  ].map((path) => ({ path, auth: null })),
  { path: "/v1/key", auth: "Bearer nonsense" },
  { path: "/v1/key", auth: "Basic YTpi" },
  { path: "/v1/key", auth: "" },
  { path: "/v1/key", auth: "bearer :key" },
  { path: "/v1/key", auth: "Bearer :key, Bearer :key" },
  { path: "/v1/key", auth: ["Bearer nonsense", "Bearer :key"] },
  { path: "/v1/key", auth: null, headers: { cookie: "next-auth.session-token=x" } },
  {
    path: "/v1/key",
    auth: null,
    headers: { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  },
  { path: "/v1/nothing", auth: null, headers: { "x-middleware-rewrite": "/health" } },
];

const METHODS: Row[] = [
  "/health",
  "/v1/orders",
  "/v1/orders/open",
  "/v1/orders/:filled",
  "/v1/orders/preview",
  "/v1/key",
  "/v1/positions",
  "/v1/nothing",
].flatMap((path) =>
  [
    "HEAD",
    "OPTIONS",
    "PUT",
    "PATCH",
    ...(path.includes(":") || path === "/v1/orders" ? [] : ["DELETE"]),
  ].map((method) => ({ method, path })),
);

const post = (
  body: NonNullable<Row["body"]>,
  headers: OutgoingHttpHeaders = {},
  path = "/v1/orders",
): Row => ({ method: "POST", path, body, headers });

const WRITES: Row[] = [
  post(() => ({ ...order, idempotencyKey: newKey("mount") })),
  post(() => ({ ...order, idempotencyKey: "the same on both" })),
  post(() => ({ ...order, idempotencyKey: "the same on both" })),
  post(() => ({ ...order, idempotencyKey: "the same on both", amount: 4 })),
  post(() => order, {}, "/v1/orders/preview"),
  post(() => order, {}, "/api/v1/orders/preview"),
  post(() => ({ ...order, amount: 1e6 })),
  post(() => ({ ...order, amount: 0 })),
  post(() => ({ ...order, tokenId: "1" })),
  post(() => ({ ...order, idempotencyKey: newKey("mount") }), { "x-rehearse": "timeout" }),
  post(() => order, { "x-rehearse": "unavailable" }),
  post(() => order, { "x-rehearse": "nonsense" }),
  post(""),
  post("{"),
  post("[]"),
  post("\uFEFF{}"),
  post(() => order, { "content-type": "text/plain" }),
  post(() => order, { "content-encoding": "gzip" }),
  post(" ".repeat(17_000)),
  post(" ".repeat(17_000), { "transfer-encoding": "chunked" }),
  post(" ".repeat(2_000_000)),
  { method: "DELETE", path: "/v1/orders/:resting" },
  { method: "DELETE", path: "/v1/orders/:resting" },
  { method: "DELETE", path: "/v1/orders/:filled" },
  { method: "DELETE", path: "/v1/orders/open" },
  { method: "DELETE", path: "/v1/orders?market=none" },
  { method: "DELETE", path: "/v1/orders" },
  { method: "POST", path: "/v1/positions/:token/redeem" },
];

const SANDBOX: Row[] = [
  "/sandbox/clob/ok",
  "/sandbox/clob/version",
  "/sandbox/clob/book?token_id=:token",
  "/sandbox/clob/book?token_id=1",
  "/sandbox/clob/book",
  "/sandbox/clob/markets/:market",
  "/sandbox/clob/markets/0x1",
  "/sandbox/clob/data/orders",
  "/sandbox/gamma/markets?limit=2",
  "/sandbox/gamma/events/slug/none",
  "/sandbox/data/positions?user=0x1",
  "/sandbox/nothing",
  "/sandbox/clob/markets/%30x",
  "/api/sandbox/clob/ok",
].map((path) => ({ path, auth: null }));

const SANDBOX_WRITES: Row[] = [
  "/sandbox/clob/order",
  "/sandbox/clob/books",
  "/sandbox/clob/ok",
].flatMap((path) => [
  post("{}", {}, path),
  post("{", {}, path),
  post(" ".repeat(300_000), {}, path),
  { method: "DELETE", path },
  { method: "PUT", path },
  { method: "HEAD", path },
  { method: "OPTIONS", path },
]);

describe.each([
  ["the sandbox", SANDBOX],
  ["the sandbox, written to", SANDBOX_WRITES],
])("server.mjs and plain Next answer alike: %s", (_group, rows) => {
  it.each(rows.map((row) => [describeRow(row), row] as const))("%s", async (_name, row) => {
    const sent = toSent(row);
    const [here, there] = await Promise.all([send(node.port, sent), send(next.port, sent)]);
    expect(told(there)).toEqual(told(here));
  });
});

describe.each([
  ["reads", READS],
  ["reads that are refused", REFUSED_READS],
  ["credentials", UNAUTHENTICATED],
  ["methods", METHODS],
  ["writes", WRITES],
])("server.mjs and plain Next answer alike: %s", (_group, rows) => {
  it.each(rows.map((row) => [describeRow(row), row] as const))("%s", async (_name, row) => {
    const sent = toSent(row);
    const [here, there] = await Promise.all([send(node.port, sent), send(next.port, sent)]);
    // Next chooses headers by the raw path, and a path that begins with an escape can be a page.
    const apart = row.path.startsWith("/%") ? OF_PAGES : new Set<string>();
    expect(told(there, apart)).toEqual(told(here, apart));
    expect(there.headers["x-request-id"]).toMatch(/^req_/);
    expect(here.headers["x-request-id"]).toMatch(/^req_/);
  });
});

describe("a method that Next doesn't know", () => {
  it.each([
    ["/health", 405],
    ["/v1/orders", 405],
    ["/v1/nothing", 404],
  ])("PROPFIND %s gets the envelope with %i on both servers", async (path, status) => {
    const sent = toSent({ method: "PROPFIND", path });
    for (const { port } of [node, next]) {
      const answer = await send(port, sent);
      expect(answer.status).toBe(status);
      expect(answer.text).toContain('"ok":false');
    }
  });
});

// Decisions of Next, or of Node's server as Next starts it, before our code runs. `server.mjs` has none
// of these differences.
describe("unavoidable differences of plain Next", () => {
  it.each(["/v1//orders", "//v1/orders", "/\\v1/orders", "/v1\\orders"])(
    "GET %s: Next redirects to one slash, server.mjs refuses",
    async (path) => {
      const sent = toSent({ path });
      const [here, there] = await Promise.all([send(node.port, sent), send(next.port, sent)]);
      expect([400, 404]).toContain(here.status);
      expect([there.status, there.headers["location"]]).toEqual([308, "/v1/orders"]);
    },
  );

  it("of two Authorization headers Next passes only the first; server.mjs rejects the request", async () => {
    const sent = toSent({ path: "/v1/key", auth: ["Bearer :key", "Bearer nonsense"] });
    const [here, there] = await Promise.all([send(node.port, sent), send(next.port, sent)]);
    expect([here.status, there.status]).toEqual([401, 200]);
  });

  it("a large body without a length is truncated by Next and read up to the limit by server.mjs; both reject it", async () => {
    const headers = { "transfer-encoding": "chunked" };
    const sent = toSent(post(" ".repeat(300_000), headers, "/sandbox/clob/books"));
    const [here, there] = await Promise.all([send(node.port, sent), send(next.port, sent)]);
    expect([here.status, there.status]).toEqual([400, 400]);
  });

  it("bytes that are not HTTP get a bare 400 from Next and the envelope from server.mjs", async () => {
    const bytes = "BET /v1/orders HTTP/1.1\r\nhost: x\r\n\r\n";
    const [here, there] = await Promise.all([
      exchange(node.port, bytes),
      exchange(next.port, bytes, { untilClosed: true }),
    ]);
    expect(here.answers[0]).toMatchObject({
      status: 400,
      headers: { "content-type": expect.stringContaining("json") },
    });
    expect(there.answers[0]).toMatchObject({ status: 400, text: "" });
  });
});

describe("server.mjs and plain Next", () => {
  it("drop the response of a simulated lost-answer, and repeat it afterwards", async () => {
    const body = { ...order, idempotencyKey: newKey("lost") };
    const sent: Sent = { method: "POST", path: "/v1/orders", key, body };
    const losing = { ...sent, headers: { "x-rehearse": "lost-answer" } };
    for (const { port } of [node, next]) {
      await expect(send(port, losing)).rejects.toThrow(NoAnswer);
      const repeated = await send(port, sent);
      expect(repeated.headers["idempotent-replayed"]).toBe("true");
      expect(readData(repeated)).toMatchObject({ status: "filled" });
    }
  });
});

function describeRow({ method = "GET", path, auth, headers, body }: Row): string {
  const about = [
    auth === undefined ? "" : `auth ${JSON.stringify(auth)}`,
    headers ? JSON.stringify(headers) : "",
    typeof body === "string" ? JSON.stringify(body.slice(0, 10)) : "",
  ];
  return [method, path, ...about.filter((text) => text !== "")].join(" ");
}

const withKey = (text: string) => text.replaceAll(":key", key);

function toSent({ method = "GET", path, auth = "Bearer :key", headers = {}, body }: Row): Sent {
  return {
    method,
    path: path.replace(/:(\w+)/, (whole, name: string) => ids[name] ?? whole),
    headers: auth === null ? headers : withAuthorization(headers, auth),
    body: typeof body === "function" ? body() : body,
  };
}

function withAuthorization(
  headers: OutgoingHttpHeaders,
  auth: string | string[],
): OutgoingHttpHeaders {
  const authorization = Array.isArray(auth) ? auth.map(withKey) : withKey(auth);
  // The types allow only one Authorization header, but arrays are sent as several.
  return Object.assign({}, headers, { authorization });
}

/** The part of a response that must be the same on both: without ids, times and prices of new objects. */
function told({ status, headers, text }: Answer, apart: ReadonlySet<string> = new Set()) {
  const compared = Object.entries(headers).filter(([name]) => {
    return !NOT_COMPARED.has(name) && !apart.has(name);
  });
  return {
    status,
    headers: Object.fromEntries(compared.map(([name, value]) => [name, masked(value?.toString())])),
    body: parsed(masked(text) ?? ""),
  };
}

/** Parses the document, because the order of its members depends on the bundle. */
function parsed(text: string): unknown {
  return text.startsWith("{") ? JSON.parse(text) : text;
}

function masked(text: string | undefined): string | undefined {
  return text
    ?.replaceAll(/(ord|req|fill|trade|auto)_[0-9A-HJKMNP-TV-Z]{26}/g, "$1_…")
    .replaceAll(/mount-[\w-]+/g, "mount-…")
    .replaceAll(/nonce-[\w+/=]+/g, "nonce-…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…Z")
    .replaceAll(/"[A-Za-z0-9_-]{40,}"/g, '"…"')
    .replaceAll(/nextCursor=[A-Za-z0-9_-]+/g, "nextCursor=…");
}
