import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { ApiRouter } from "@/lib/api/router";
import { endKeepAlive } from "@/lib/server/in-flight";
import { createNodeServer, type PageHandler } from "@/lib/server/node-server";
import { readCode, send } from "@/tests/support/product/client";

const NOTHING: ApiRouter = {
  answer: async () => null,
  operate: async () => null,
};
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function serve(router: Partial<ApiRouter>, pages: PageHandler): Promise<Server> {
  const server = createNodeServer({ ...NOTHING, ...router }, pages, "127.0.0.1");
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
const getPort = (server: Server) => (server.address() as AddressInfo).port;

it.each(["GET", "POST"])("a page that throws returns 500 to a %s", async (method) => {
  const server = await serve({}, async () => {
    throw new Error("the pages could not be loaded");
  });
  const answer = await send(getPort(server), { method, path: "/orders" });
  expect([answer.status, readCode(answer)]).toEqual([502, "INTERNAL_ERROR"]);
  expect(answer.text).not.toContain("could not be loaded");
});

it("bytes that are not HTTP get the error envelope", async () => {
  const server = await serve({}, async () => {});
  const headers = { host: "not a host" };
  const answer = await send(getPort(server), { method: "GET", path: "/orders", headers });
  expect([answer.status, readCode(answer)]).toEqual([400, "MALFORMED_URL"]);
});

it("a response during shutdown closes its connection", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const body = '{"ok":true}';
  const server = await serve(
    {
      answer: async ({ pathname }) => {
        if (pathname === "/v1/slow") {
          isAsked();
          await finished;
        }
        return { status: 200, headers: {}, body };
      },
    },
    async () => {},
  );
  const before = await send(getPort(server), { method: "GET", path: "/v1/quick" });
  expect(before.headers.connection).toBe("keep-alive");
  const slow = send(getPort(server), { method: "GET", path: "/v1/slow" });
  await asked;
  endKeepAlive();
  const closed = once(server, "close");
  server.close();
  finish();
  const answer = await slow;
  expect([answer.status, answer.text, answer.headers.connection]).toEqual([200, body, "close"]);
  await closed;
});

it.each([
  ["GET", undefined, "127.0.0.1"],
  ["GET", "203.0.113.5", "203.0.113.5, 127.0.0.1"],
  ["POST", undefined, "127.0.0.1"],
  ["POST", "203.0.113.5", "203.0.113.5, 127.0.0.1"],
])(
  "a %s to the API that forwards %s has the peer's address last",
  async (method, sent, expected) => {
    let received: string | null = null;
    const server = await serve(
      {
        answer: async ({ headers }) => {
          received = headers.get("x-forwarded-for");
          return { status: 200, headers: {}, body: "{}" };
        },
      },
      async () => {},
    );
    const headers = sent === undefined ? {} : { "x-forwarded-for": sent };
    await send(getPort(server), { method, path: "/v1/orders", headers });
    expect(received).toBe(expected);
  },
);
