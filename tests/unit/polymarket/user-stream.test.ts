import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { WebSocketServer } from "ws";
import { openUserStream } from "@/lib/polymarket/user-stream";
import type { UserStreamEvent, Trader } from "@/lib/venue/trader";

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
  sessionKey: null,
  credentials: { key: "k", secret: "s", passphrase: "p" },
  signOrder: () => Promise.reject(new Error("streams sign nothing")),
};

it("a stream authenticates, emits every event, and reconnects when its connection is cut", async () => {
  const events: UserStreamEvent[] = [];
  const stream = openUserStream(trader, (each) => void events.push(each));
  await expect.poll(() => frames.length).toBe(1);
  expect(JSON.parse(frames[0] ?? "")).toEqual({
    type: "user",
    auth: { apiKey: "k", secret: "s", passphrase: "p" },
  });
  const received = () => events;
  await expect.poll(received).toEqual(["other"]);
  for (const socket of server.clients) {
    socket.send("PONG");
    // A placement can be of an order that another program made with the wallet.
    const event = { event_type: "order", id: "0xAB" };
    socket.send(JSON.stringify({ ...event, type: "PLACEMENT" }));
    socket.send(JSON.stringify([{ ...event, type: "CANCELLATION" }]));
    socket.send(JSON.stringify([{ ...event, type: "UPDATE" }, { event_type: "trade" }]));
    socket.send("[not JSON");
  }
  const more = [{ placed: "0xab" }, { canceled: "0xab" }, "other", "other", "other"];
  await expect.poll(received).toEqual(["other", ...more]);
  for (const socket of server.clients) socket.terminate();
  await expect.poll(() => frames.length, { timeout: 5_000 }).toBe(2);
  await expect.poll(received).toEqual(["other", ...more, "other"]);
  stream.close();
  await expect.poll(() => server.clients.size).toBe(0);
});

it("retryNow reconnects a stream at once", async () => {
  // Its own retries never come.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  let opened = 0;
  const stream = openUserStream(trader, () => void (opened += 1));
  await expect.poll(() => opened).toBe(1);
  for (const socket of server.clients) socket.terminate();
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  stream.retryNow();
  await expect.poll(() => opened).toBe(2);
  stream.close();
  await expect.poll(() => server.clients.size).toBe(0);
  vi.useRealTimers();
});
