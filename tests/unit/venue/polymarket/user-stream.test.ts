import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { openUserStream } from "@/lib/venue/polymarket/user-stream";
import type { StreamNews, Trader } from "@/lib/venue/trader";

const frames: string[] = [];
let server: WebSocketServer;

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1", path: "/ws/user" });
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      frames.push(String(data));
      if (String(data) === "PING") socket.send("PONG");
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  process.env["CLOB_API_URL"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const trader: Trader = {
  userId: "usr_1",
  address: "0x",
  funderAddress: "0x",
  signatureType: 0,
  credentials: { key: "k", secret: "s", passphrase: "p" },
  signOrder: () => Promise.reject(new Error("streams sign nothing")),
};

it("a stream authenticates, tells of every change, and comes back when its line is cut", async () => {
  const news: StreamNews[] = [];
  const close = openUserStream(trader, (each) => void news.push(each));
  await expect.poll(() => frames.length).toBe(1);
  expect(JSON.parse(frames[0] ?? "")).toEqual({
    type: "user",
    auth: { apiKey: "k", secret: "s", passphrase: "p" },
  });
  const told = () => news;
  await expect.poll(told).toEqual(["something"]);
  for (const socket of server.clients) {
    socket.send("PONG");
    // That our own order stands is known already.
    const event = { event_type: "order", id: "0xAB" };
    socket.send(JSON.stringify({ ...event, type: "PLACEMENT" }));
    socket.send(JSON.stringify([{ ...event, type: "CANCELLATION" }]));
    socket.send(JSON.stringify([{ ...event, type: "UPDATE" }, { event_type: "trade" }]));
    socket.send("[not JSON");
  }
  const more = [{ canceled: "0xab" }, "something", "something", "something"];
  await expect.poll(told).toEqual(["something", ...more]);
  for (const socket of server.clients) socket.terminate();
  await expect.poll(() => frames.length, { timeout: 5_000 }).toBe(2);
  await expect.poll(told).toEqual(["something", ...more, "something"]);
  close();
  await expect.poll(() => server.clients.size).toBe(0);
});
