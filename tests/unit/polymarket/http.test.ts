import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeUpstreams, isNeverConnected, PermissionEnded, send } from "@/lib/polymarket/http";

let connections = 0;
let requests = 0;
const venue = createServer((request, response) => {
  requests += 1;
  request.resume().once("end", () => response.end("{}"));
}).on("connection", () => (connections += 1));

beforeAll(async () => {
  await once(venue.listen(0, "127.0.0.1"), "listening");
  process.env["CLOB_API_URL"] = `http://127.0.0.1:${(venue.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await closeUpstreams();
  venue.close();
});

it.each(["GET", "POST", "DELETE"] as const)(
  "sequential %s requests share one connection, with or without a body",
  async (method) => {
    const before = connections;
    for (let count = 0; count < 20; count += 1) {
      const body = method === "GET" || count % 4 === 0 ? undefined : "{}";
      const request = { service: "clob", method, path: "/order" } as const;
      const { status } = await send(body === undefined ? request : { ...request, body }, 2_000);
      expect(status).toBe(200);
    }
    // The pool opens a second connection if the first one is not free again immediately.
    expect(connections - before).toBeLessThanOrEqual(2);
  },
);

describe("a request with a permission", () => {
  const POST = { service: "clob", method: "POST", path: "/order", body: '{"é":1}' } as const;

  it("is sent while the permission lasts", async () => {
    const before = requests;
    expect(await send(POST, 2_000, { leftMs: 1 })).toMatchObject({ status: 200 });
    expect(requests).toBe(before + 1);
  });

  it("sends nothing when the permission expires while it connects", async () => {
    await closeUpstreams();
    const before = requests;
    const permission = { leftMs: 1_000 };
    const sent = send(POST, 2_000, permission);
    permission.leftMs = 0;
    await expect(sent).rejects.toBeInstanceOf(PermissionEnded);
    // The next request goes through, and is the only one that arrived.
    expect(await send(POST, 2_000, { leftMs: 1 })).toMatchObject({ status: 200 });
    expect(requests).toBe(before + 1);
  });
});

describe("isNeverConnected", () => {
  const failed = (code: string, syscall?: string) =>
    Object.assign(new Error(code), { code, ...(syscall === undefined ? {} : { syscall }) });

  it.each([
    ["ECONNREFUSED", "connect"],
    ["EHOSTUNREACH", "connect"],
    ["ENETUNREACH", "connect"],
    ["ENOTFOUND", "getaddrinfo"],
    ["EAI_AGAIN", "getaddrinfo"],
    ["UND_ERR_CONNECT_TIMEOUT", undefined],
  ])("is true for %s of %s", (code, syscall) => {
    expect(isNeverConnected(failed(code, syscall))).toBe(true);
  });

  it.each([
    ["EHOSTUNREACH", "read"],
    ["ENETUNREACH", "write"],
    ["ECONNREFUSED", "read"],
    ["EHOSTUNREACH", undefined],
    ["ECONNRESET", "read"],
    ["UND_ERR_SOCKET", undefined],
  ])("is false for %s of %s", (code, syscall) => {
    expect(isNeverConnected(failed(code, syscall))).toBe(false);
  });

  it("is true only if every address of a host failed to connect", () => {
    const connect = failed("ECONNREFUSED", "connect");
    expect(isNeverConnected(new AggregateError([connect, connect]))).toBe(true);
    expect(isNeverConnected(new AggregateError([connect, failed("EPIPE", "write")]))).toBe(false);
    expect(isNeverConnected(new AggregateError([]))).toBe(false);
  });
});
