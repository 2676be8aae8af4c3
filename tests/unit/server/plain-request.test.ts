import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "@/lib/api/http/body";
import { parsePlainRequest } from "@/lib/server/plain-request";

const PEER = { socket: { remoteAddress: "192.0.2.1" }, headers: {} };
const read = (url: string, rawHeaders: string[] = ["Host", "127.0.0.1:3000"], method = "GET") =>
  parsePlainRequest({ ...PEER, method, url, rawHeaders } as IncomingMessage);

/** A request with a body that arrives in parts. */
function send(parts: readonly string[], length: number, method = "POST"): Readable {
  const rawHeaders = ["Host", "ante.test", "Content-Length", String(length)];
  const given = { ...PEER, method, url: "/v1/orders", rawHeaders };
  return Object.assign(Readable.from(parts.map((part) => Buffer.from(part))), given);
}
const parse = (request: Readable) => parsePlainRequest(request as IncomingMessage);

describe("a plain request", () => {
  it.each(["/health", "/v1/orders/open", "/v1/orders/ord_0123", "/v1/orders?limit=1&status=open"])(
    "%s is what a Web Request of it would be",
    async (target) => {
      const url = new URL(target, "http://127.0.0.1:3000");
      const found = read(target);
      expect(found?.pathname).toBe(url.pathname);
      expect([...(found?.searchParams ?? [])]).toEqual([...url.searchParams]);
      expect(await found?.readBody(MAX_BODY_BYTES)).toHaveLength(0);
    },
  );

  it("joins repeated headers and ignores their case", () => {
    const twice = ["host", "ante.test", "Authorization", "Bearer a", "AUTHORIZATION", "Bearer b"];
    const found = read("/v1/key", twice);
    expect(found?.headers.get("authorization")).toBe("Bearer a, Bearer b");
    expect(found?.headers.get("x-rehearse")).toBeNull();
  });

  it.each(["POST", "PATCH", "DELETE"])(
    "%s has its whole body each time it is read",
    async (method) => {
      const found = parse(send(['{"a":', "1}"], 7, method));
      for (const _ of [1, 2]) {
        const bytes = await found?.readBody(MAX_BODY_BYTES);
        expect(Buffer.from(bytes ?? []).toString()).toBe('{"a":1}');
      }
    },
  );

  it("fails to read a body that breaks off, even after the break", async () => {
    const request = send(["{"], 7);
    const found = parse(request);
    request.destroy();
    await expect(found?.readBody(MAX_BODY_BYTES)).rejects.toThrow("ended before its body");
    await expect(found?.readBody(MAX_BODY_BYTES)).rejects.toThrow("ended before its body");
  });

  it.each(["ante.test", "localhost:3000", "127.0.0.1", "a-b.example:54321"])(
    "accepts the host %s",
    (host) => {
      expect(URL.canParse(`http://${host}/`)).toBe(true);
      expect(read("/health", ["Host", host])).not.toBeNull();
    },
  );
});

describe("parsePlainRequest returns null for", () => {
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

  it.each(["HEAD", "OPTIONS", "PUT", "PURGE"])("%s", (method) =>
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

  it("no host, two hosts or special headers", () => {
    expect(read("/health", [])).toBeNull();
    expect(read("/health", ["Host", "a", "Host", "b"])).toBeNull();
    for (const name of ["Transfer-Encoding", "Expect", "Upgrade"]) {
      expect(read("/health", ["Host", "a", name, "1"])).toBeNull();
    }
  });

  it("a read with a body, and a body that is too long", () => {
    expect(parse(send(["{}"], 2, "GET"))).toBeNull();
    expect(parse(send([], MAX_BODY_BYTES + 1))).toBeNull();
  });
});
