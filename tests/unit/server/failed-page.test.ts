import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { withFailedPage } from "@/lib/server/failed-page";

const health = vi.hoisted(() => ({ isWell: true }));
vi.mock("@/lib/services/health/check-health", () => ({
  checkHealth: async () => {
    if (!health.isWell) throw new AppError("DATABASE_UNAVAILABLE", "the database does not answer");
    return { service: "ante", status: "ok" };
  },
}));

type Pages = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let pages: Pages;

beforeAll(async () => {
  const handle = withFailedPage(async (request, response) => pages(request, response));
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());
beforeEach(() => {
  health.isWell = true;
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);

/** An answer in pieces, as Next streams one. */
function answering(status: number, headers: Record<string, string>): Pages {
  return (_request, response) => {
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.flushHeaders();
    response.write("one ");
    response.end("two");
  };
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const FAILED = { ...HTML, "content-encoding": "gzip", link: "</a.css>; rel=preload" };

describe("a page that could not be rendered", () => {
  it("is replaced by one that says so, with a way to try again and nothing of the lost one", async () => {
    pages = answering(500, FAILED);
    const answer = await ask("/orders?tab=history&q=%22%3Cb%3E");
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toMatch(/^<!doctype html>.*<h1>This page didn’t load.<\/h1>.*<\/html>\n$/s);
    expect(text).toContain('href="/orders?tab=history&amp;q=%22%3Cb%3E">Retry</a>');
    expect(text).toContain("Your orders and your money are not affected.");
    expect(text).toContain(String(answer.headers.get("x-request-id")));
    expect(text).not.toContain("one two");
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(answer.headers.get("link")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='/,
    );
  });

  it("blames the database when that does not answer, and says when to come again", async () => {
    health.isWell = false;
    pages = answering(500, FAILED);
    const answer = await ask("/");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.text()).toContain("can’t reach its database");
  });

  it("promises nothing of what was posted", async () => {
    pages = answering(500, FAILED);
    const text = await (await ask("/trade/review", { method: "POST" })).text();
    expect(text).toContain("We don’t know whether what you sent was carried out.");
    expect(text).toContain('href="/orders">Look at your orders</a>');
    expect(text).not.toContain("not affected");
    expect(text).not.toContain("Retry");
  });

  it("has the theme that the browser was told to use", async () => {
    pages = answering(500, FAILED);
    const cookie = `a=b; ante-display=${encodeURIComponent('{"theme":"dark"}')}`;
    expect(await (await ask("/", { headers: { cookie } })).text()).toContain('data-theme="dark"');
    expect(await (await ask("/")).text()).toContain('<html lang="en">');
  });

  it("is replaced whether it ends at once or in pieces, and has no body for HEAD", async () => {
    pages = (_request, response) => {
      response.writeHead(500, HTML).end("whole");
    };
    const head = await ask("/", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([500, ""]);
    const whole = await ask("/");
    expect(await whole.text()).not.toContain("whole");
  });
});

describe("everything else passes as it is", () => {
  it.each([
    ["a page", 200, HTML, {}],
    ["a page that is not there", 404, HTML, {}],
    ["a failed route", 502, { "content-type": "application/json" }, {}],
    ["a failed page that a script fetched", 500, { "content-type": "text/x-component" }, {}],
    ["a failed page that another page asked for", 500, HTML, { rsc: "1" }],
    ["a failed action", 500, HTML, { "next-action": "a1" }],
  ])("%s", async (_name, status, headers, sent: Record<string, string>) => {
    pages = answering(status, headers);
    const answer = await ask("/", { headers: sent });
    expect([answer.status, await answer.text()]).toEqual([status, "one two"]);
  });
});
