import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeUpstreams, send } from "@/lib/venue/polymarket/http";

let connections = 0;
const venue = createServer((request, response) => {
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
  "one %s after another goes over the same connection, with a body or without",
  async (method) => {
    const before = connections;
    for (let count = 0; count < 20; count += 1) {
      const body = method === "GET" || count % 4 === 0 ? undefined : "{}";
      const request = { service: "clob", method, path: "/order" } as const;
      const { status } = await send(body === undefined ? request : { ...request, body }, 2_000);
      expect(status).toBe(200);
    }
    // The pool opens a second one when the first is not free again at once.
    expect(connections - before).toBeLessThanOrEqual(2);
  },
);
