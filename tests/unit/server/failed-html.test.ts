import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { withFailedPage } from "@/lib/server/failed-html";

const health = vi.hoisted(() => ({ isWell: true }));
vi.mock("@/lib/ops/check-health", () => ({
  checkHealth: async () => {
    if (!health.isWell)
      throw new AppError("DATABASE_UNAVAILABLE", "The database is not responding.");
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

/** A response in pieces, as Next streams it. */
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

describe("a page that failed to render", () => {
  it("is replaced by an error page with a retry link and nothing of the failed page", async () => {
    pages = answering(500, FAILED);
    const answer = await ask("/orders?tab=history&q=%22%3Cb%3E");
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toMatch(/^<!doctype html>.*<h1>This page didn’t load.<\/h1>.*<\/html>\n$/s);
    expect(text).toContain('href="/orders?tab=history&amp;q=%22%3Cb%3E">Retry</a>');
    expect(text).toContain("Your orders and money aren’t affected.");
    expect(text).toContain(String(answer.headers.get("x-request-id")));
    expect(text).not.toContain("one two");
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(answer.headers.get("link")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+='/,
    );
  });

  it("returns 503 with Retry-After if the database is down", async () => {
    health.isWell = false;
    pages = answering(500, FAILED);
    const answer = await ask("/");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.text()).toContain("can’t reach its database");
  });

  it("does not say whether a posted request succeeded", async () => {
    pages = answering(500, FAILED);
    const text = await (await ask("/trade/review", { method: "POST" })).text();
    expect(text).toContain("We don’t know whether your request went through.");
    expect(text).toContain('href="/orders">View your orders</a>');
    expect(text).not.toContain("affected");
    expect(text).not.toContain("Retry");
  });

  it("uses the user's theme", async () => {
    pages = answering(500, FAILED);
    const cookie = `a=b; ante-display=${encodeURIComponent('{"theme":"dark"}')}`;
    expect(await (await ask("/", { headers: { cookie } })).text()).toContain('data-theme="dark"');
    expect(await (await ask("/")).text()).toContain('<html lang="en">');
  });

  it("is replaced for one-piece and streamed responses, without a body for HEAD", async () => {
    pages = (_request, response) => {
      response.writeHead(500, HTML).end("whole");
    };
    const head = await ask("/", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([500, ""]);
    const whole = await ask("/");
    expect(await whole.text()).not.toContain("whole");
  });
});

describe("other responses pass unchanged", () => {
  it.each([
    ["a page", 200, HTML, {}],
    ["a missing page", 404, HTML, {}],
    ["a failed route", 502, { "content-type": "application/json" }, {}],
    ["a failed page for a script", 500, { "content-type": "text/x-component" }, {}],
    ["a failed page for a client-side navigation", 500, HTML, { rsc: "1" }],
    ["a failed action", 500, HTML, { "next-action": "a1" }],
  ])("%s", async (_name, status, headers, sent: Record<string, string>) => {
    pages = answering(status, headers);
    const answer = await ask("/", { headers: sent });
    expect([answer.status, await answer.text()]).toEqual([status, "one two"]);
  });
});
