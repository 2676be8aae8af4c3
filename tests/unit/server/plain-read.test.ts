import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { parsePlainRead } from "@/lib/server/plain-read";

const PEER = { socket: { remoteAddress: "192.0.2.1" }, headers: {} };
const read = (url: string, rawHeaders: string[] = ["Host", "127.0.0.1:3000"], method = "GET") =>
  parsePlainRead({ ...PEER, method, url, rawHeaders } as IncomingMessage);

describe("a plain read", () => {
  it.each(["/health", "/v1/orders/open", "/v1/orders/ord_0123", "/v1/orders?limit=1&status=open"])(
    "%s is what a Web Request of it would be",
    (target) => {
      const url = new URL(target, "http://127.0.0.1:3000");
      const found = read(target);
      expect(found?.pathname).toBe(url.pathname);
      expect([...(found?.searchParams ?? [])]).toEqual([...url.searchParams]);
      expect(found?.body).toBeNull();
    },
  );

  it("joins repeated headers and ignores their case", () => {
    const twice = ["host", "ante.test", "Authorization", "Bearer a", "AUTHORIZATION", "Bearer b"];
    const found = read("/v1/key", twice);
    expect(found?.headers.get("authorization")).toBe("Bearer a, Bearer b");
    expect(found?.headers.get("x-rehearse")).toBeNull();
  });

  it.each(["ante.test", "localhost:3000", "127.0.0.1", "a-b.example:54321"])(
    "accepts the host %s",
    (host) => {
      expect(URL.canParse(`http://${host}/`)).toBe(true);
      expect(read("/health", ["Host", host])).not.toBeNull();
    },
  );
});

describe("parsePlainRead returns null for", () => {
  it.each([
    "/",
    "/v1",
    "/v1/",
    "/health/",
    "/v1//orders",
    "/v1/../health",
    "/v1/orders/%6f",
    "/v1/orders?a=%20",
    "/v1/orders?a=+1",
    "/v1/orders#x",
    "/v1/openapi.json",
    "/api/v1/orders",
    "/V1/orders",
    "http://ante.test/v1/orders",
  ])("%s", (target) => expect(read(target)).toBeNull());

  it.each(["POST", "HEAD", "DELETE", "PURGE"])("%s", (method) =>
    expect(read("/health", undefined, method)).toBeNull(),
  );

  it.each([
    "",
    "a b",
    "a:99999",
    "256.1.1.1",
    "1.2.3",
    "xn--zzzz.com",
    "a/b",
    "a@b",
    "[::1]:80",
    "ü",
    "a, b",
  ])("a host of '%s'", (host) => expect(read("/health", ["Host", host])).toBeNull());

  it("no host, two hosts, a body or special headers", () => {
    expect(read("/health", [])).toBeNull();
    expect(read("/health", ["Host", "a", "Host", "b"])).toBeNull();
    for (const name of ["Content-Length", "Transfer-Encoding", "Expect", "Upgrade"]) {
      expect(read("/health", ["Host", "a", name, "1"])).toBeNull();
    }
  });
});
