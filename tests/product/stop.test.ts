import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  readData,
  demoKey,
  isHealthy,
  launch,
  newKey,
  preparedDataDir,
  type Product,
  productEnvironment,
  readDemo,
  ROOT,
  send,
  startPrepared,
  STOP_WITHIN_MS,
  until,
  within,
} from "@/tests/support/product/product";
import { freePort } from "@/tests/support/database/postgres.mjs";

cleanUpAfterwards();

/** Well before the cut-off of hanging requests, even on a busy machine. */
const AT_ONCE_MS = 8_000;

/** Sends an order whose response takes three seconds, and waits until it is executed. */
async function orderUnderWay(port: number, key: string) {
  const idempotencyKey = newKey("in-flight");
  const tokenId = await anyToken(port, key);
  const body = { tokenId, action: "BUY", orderType: "market", amount: 5, idempotencyKey };
  const headers = { "x-rehearse": "slow" };
  const answer = send(port, { method: "POST", path: "/v1/orders", key, body, headers });
  // Awaited after the server has stopped.
  answer.catch(() => undefined);
  await until("the slow order is executed", async () =>
    (await allOrders(port, key)).some((order) => order.idempotencyKey === idempotencyKey),
  );
  return { answer, idempotencyKey };
}

/** Opens a connection, sends bytes, and waits until the server has read them. */
async function openWith(product: Product, bytes: string): Promise<Socket> {
  const socket = connect(product.port, "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(bytes);
  await isHealthy(product.port);
  return socket;
}

describe("a server that received a stop signal", () => {
  it("finishes running requests and exits with 0, even if more signals follow", async () => {
    const product = await startPrepared();
    // The first page visit loads Next, with code of its own.
    expect((await send(product.port, { method: "GET", path: "/sign-in" })).status).toBe(200);
    const { answer, idempotencyKey } = await orderUnderWay(product.port, demoKey(product));
    for (const signal of ["SIGTERM", "SIGTERM", "SIGINT", "SIGHUP", "SIGTERM", "SIGINT"] as const) {
      product.kill(signal);
      await wait(50);
    }
    expect(readData(await answer)).toMatchObject({ idempotencyKey, status: "filled" });
    expect(await product.ended).toEqual({ code: 0, signal: null });
  });

  it.each([
    ["sent half a request head", "POST /v1/orders HTTP/1.1\r\nhost: localhost\r\n"],
    ["sent nothing", ""],
    ["keeps its answered connection", "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"],
  ])("ends the connection of a client that %s at once", async (_name, bytes) => {
    const product = await startPrepared();
    const socket = await openWith(product, bytes);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume();
    const { code, inMs } = await product.stop();
    await closed;
    expect(code).toBe(0);
    expect(inMs).toBeLessThan(AT_ONCE_MS);
  });

  it("closes the sandbox's WebSockets immediately", async () => {
    const product = await startPrepared();
    const socket = new WebSocket(`ws://127.0.0.1:${product.port}/sandbox/clob/ws/market`);
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const { code, inMs } = await product.stop();
    expect(await closed).toBe(1001);
    expect(code).toBe(0);
    expect(inMs).toBeLessThan(AT_ONCE_MS);
  });

  it("during its start exits with 0", async () => {
    const dataDir = preparedDataDir();
    const starting = launch(["server.mjs"], { PORT: String(await freePort()), DATA_DIR: dataDir });
    await until("the start is under way", async () => existsSync(join(dataDir, "lock")));
    starting.kill("SIGTERM");
    starting.kill("SIGINT");
    const ended = within(STOP_WITHIN_MS, starting.ended, "the process did not end");
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

describe("npm start", () => {
  it("finishes and exits with 0 when its process group gets a signal that npm forwards again", async () => {
    const [port, dataDir] = [await freePort(), preparedDataDir()];
    const npm = spawn("npm", ["start"], {
      cwd: ROOT,
      env: productEnvironment({ PORT: String(port), DATA_DIR: dataDir }),
      stdio: "ignore",
      // A process group, like in a terminal.
      detached: true,
    });
    const ended = new Promise((resolve) => {
      npm.once("exit", (code, signal) => resolve({ code, signal }));
    });
    try {
      await until("npm start is ready", () => isHealthy(port));
      const { answer, idempotencyKey } = await orderUnderWay(port, readDemo(dataDir).apiKey);
      process.kill(-(npm.pid ?? 0), "SIGTERM");
      await wait(200);
      process.kill(-(npm.pid ?? 0), "SIGTERM");
      expect(readData(await answer)).toMatchObject({ idempotencyKey, status: "filled" });
      expect(await within(STOP_WITHIN_MS, ended, "npm did not end")).toEqual({
        code: 0,
        signal: null,
      });
    } finally {
      try {
        process.kill(-(npm.pid ?? 0), "SIGKILL");
      } catch {
        // The group has ended, as expected.
      }
    }
  });
});
