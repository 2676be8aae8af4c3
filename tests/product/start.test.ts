import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  readCode,
  readData,
  demoKey,
  expectCleanBooks,
  freshDataDir,
  isHealthy,
  launch,
  newKey,
  preparedDataDir,
  type Product,
  readDemo,
  runAdmin,
  send,
  startPrepared,
  startProduct,
  STOP_WITHIN_MS,
  traderKey,
  until,
  within,
} from "@/tests/support/product/product";
import { freePort } from "@/tests/support/database/postgres.mjs";
import { Random, readSeed } from "@/tests/support/random";

cleanUpAfterwards();

const NEXT = "node_modules/next/dist/bin/next";
/** On a machine that is busy with other tests. */
const REFUSED_WITHIN_MS = 30_000;
const KILL_MOMENTS = [
  [400, 900],
  [900, 1_800],
  [1_800, 3_200],
] as const;
/** After the account was created, in milliseconds. */
const HISTORY_MOMENTS = [
  [0, 200],
  [200, 1_000],
] as const;
const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8);
const print = (line: string) => process.stdout.write(`${line}\n`);

/** Starts a server that is expected to fail, and waits for its exit. */
async function refusedStart(env: Record<string, string>) {
  const startedAt = performance.now();
  const launched = launch(["server.mjs"], env);
  const { code } = await within(REFUSED_WITHIN_MS, launched.ended, "the process did not give up");
  return { code, output: launched.output(), inMs: Math.round(performance.now() - startedAt) };
}

async function readBalance(product: Product, key: string): Promise<unknown> {
  const path = "/v1/account/balance";
  return readData(await send(product.port, { method: "GET", path, key }))["balanceUsdc"];
}

/** Expects one demo account with its whole history, clean books and a file with its credentials. */
async function expectDemoWithHistory(dataDir: string): Promise<void> {
  const product = await startProduct({ dataDir });
  const key = demoKey(product);
  expect((await allOrders(product.port, key)).length).toBeGreaterThan(50);
  expect((await product.stop()).code).toBe(0);
  await expectCleanBooks({ DATA_DIR: dataDir });
  const { stdout } = await runAdmin(["users:list", "--json"], { DATA_DIR: dataDir });
  const { users } = JSON.parse(stdout) as { users: { userId: string }[] };
  expect(users.map(({ userId }) => userId)).toEqual([readDemo(dataDir).userId]);
}

describe("the first start", () => {
  it("creates a private demo account with a history, prints no secret, and its curl line fills an order", async () => {
    // The folder has a space, so the printed line must quote it.
    const dataDir = join(freshDataDir(), "of a newcomer");
    const product = await startProduct({ dataDir, env: { LOG_LEVEL: "info" } });
    print(`first start: ready in ${product.readyInMs} ms`);

    expect(permissions(dataDir)).toBe("700");
    for (const file of ["demo.json", "secrets.json"]) {
      expect(permissions(join(dataDir, file))).toBe("600");
    }
    const demo = readDemo(dataDir);
    expect(Object.keys(demo)).toEqual([
      "email",
      "password",
      "apiKey",
      "userId",
      "address",
      "funderAddress",
    ]);
    expect(demo.apiKey).toMatch(/^ante_paper_[0-9A-Za-z]{46}$/);
    expect(await readBalance(product, demo.apiKey)).toBeGreaterThan(5_000);
    expect((await allOrders(product.port, demo.apiKey)).length).toBeGreaterThan(50);
    const self = await send(product.port, { method: "GET", path: "/v1/key", key: demo.apiKey });
    expect(readData(self)["scopes"]).toEqual(["read", "trade", "cancel", "webhooks"]);

    // The service answers before its start-up lines are complete.
    await expect.poll(() => product.stdout(), { timeout: 60_000 }).toMatch(/^curl .*$/m);
    const line = product.stdout().match(/^curl .*$/m)?.[0] ?? "";
    const { stdout } = await promisify(execFile)("bash", ["-c", line], { cwd: "/" });
    const answer = JSON.parse(stdout) as { ok: boolean; data: Record<string, unknown> };
    expect(answer).toMatchObject({ ok: true, data: { status: "filled" } });

    await product.stop();
    const log = product.output();
    expect(log).toContain(`http://127.0.0.1:${product.port}`);
    expect(log).toContain(join(dataDir, "demo.json"));
    const secrets = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as object;
    // A key-encryption key is `id:base64`. The part after the colon is the secret.
    const values = Object.values(secrets).flatMap((value) => String(value).split(/^k1:/));
    for (const secret of [demo.apiKey, demo.apiKey.slice(19), demo.password, ...values]) {
      if (secret !== "") expect(log).not.toContain(secret);
    }
  });

  it("that is killed at any moment is followed by a successful one", async () => {
    const random = new Random(readSeed());
    print(`start: PRODUCT_SEED=${random.seed}`);
    // Early, while files are created, during the database's creation, and near its end.
    for (const [from, to] of KILL_MOMENTS) {
      const afterMs = random.integer(from, to);
      const dataDir = freshDataDir();
      const killed = launch(["server.mjs"], { DATA_DIR: dataDir, PORT: String(await freePort()) });
      setTimeout(() => killed.kill("SIGKILL"), afterMs);
      expect(await killed.ended).toEqual({ code: null, signal: "SIGKILL" });

      await expectDemoWithHistory(dataDir);
    }
  });

  it("that is killed while it writes the demo account's history is followed by one that writes it whole", async () => {
    const random = new Random(readSeed());
    for (const [from, to] of HISTORY_MOMENTS) {
      const dataDir = freshDataDir();
      const killed = launch(["server.mjs"], { DATA_DIR: dataDir, PORT: String(await freePort()) });
      const file = join(dataDir, "demo.json");
      // The file is written when the history begins.
      await until("the demo account is created", async () => existsSync(file));
      await wait(random.integer(from, to));
      killed.kill("SIGKILL");
      await killed.ended;
      await expectDemoWithHistory(dataDir);
    }
  });

  it("through Next writes the same history", async () => {
    const dataDir = freshDataDir();
    const args = (port: number) => [
      NEXT,
      "start",
      "--port",
      String(port),
      "--hostname",
      "127.0.0.1",
    ];
    const product = await startProduct({ dataDir, args });
    expect((await allOrders(product.port, demoKey(product))).length).toBeGreaterThan(50);
    await product.stop();
    await expectCleanBooks({ DATA_DIR: dataDir });
  });
});

describe("the second start", () => {
  it("has the same account and keys, three times", async () => {
    const dataDir = preparedDataDir();
    const before = readDemo(dataDir);
    const times: number[] = [];
    for (let start = 0; start < 3; start += 1) {
      const product = await startProduct({ dataDir });
      times.push(product.readyInMs);
      expect(readDemo(dataDir)).toEqual(before);
      expect(await readBalance(product, before.apiKey)).toBeGreaterThan(5_000);
      expect(await readBalance(product, traderKey())).toBe(10_000);
      expect((await product.stop()).code).toBe(0);
    }
    // `npm run bench` compares the time with an anchor; here it depends on what else runs.
    print(`second start: ready in ${times.join(", ")} ms`);
  });

  it("works after kill -9 and takes over the lock", async () => {
    const dataDir = preparedDataDir();
    const first = await startProduct({ dataDir });
    await first.crash();
    expect(statSync(join(dataDir, "lock")).isFile()).toBe(true);
    const second = await startProduct({ dataDir });
    expect(await readBalance(second, traderKey())).toBe(10_000);
    expect((await second.stop()).code).toBe(0);
    expect(statSync(join(dataDir, "lock"), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe("a start that fails", () => {
  it("a second process on the same data directory gives up and names the holder", async () => {
    const product = await startPrepared();
    const { port, pid, dataDir } = product;
    const times: number[] = [];
    for (const otherPort of [port, await freePort()]) {
      const refused = await refusedStart({ DATA_DIR: dataDir, PORT: String(otherPort) });
      expect(refused.code).toBeGreaterThan(0);
      expect(refused.output).toMatch(new RegExp(`\\b${pid}\\b`));
      times.push(refused.inMs);
    }
    print(`second process: gave up after ${times.join(", ")} ms`);
    expect(await isHealthy(port)).toBe(true);
    expect(await readBalance(product, traderKey())).toBe(10_000);
    expect((await product.stop()).code).toBe(0);
  });

  it.each([
    ["PORT", { PORT: "abc" }],
    ["VENUES", { VENUES: "foo" }],
    ["PAPER_CLOCK", { PAPER_CLOCK: "yesterday" }],
    ["RATE_LIMIT_STATUS", { RATE_LIMIT_STATUS: "403" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://127.0.0.1/ante" }],
    ["API_KEY_PEPPER", { DATABASE_URL: "postgres://127.0.0.1:1/none" }],
  ])("a bad or missing %s ends the start with an error that names it", async (name, env) => {
    const dataDir = freshDataDir();
    const refused = await refusedStart({ PORT: "0", DATA_DIR: dataDir, ...env });
    expect(refused.code).toBeGreaterThan(0);
    expect(refused.output).toContain(name);
    expect(statSync(join(dataDir, "db"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("a port that is in use ends the start with an error and unlocks the data directory", async () => {
    const product = await startPrepared();
    const dataDir = preparedDataDir();
    const refused = await refusedStart({ DATA_DIR: dataDir, PORT: String(product.port) });
    expect(refused.code).toBeGreaterThan(0);
    expect(refused.output).toContain("EADDRINUSE");
    await product.stop();
    const next = await startProduct({ dataDir });
    expect((await next.stop()).code).toBe(0);
  });
});

describe("SIGTERM", () => {
  it("finishes running requests, accepts no new ones and exits with 0 within 15 s", async () => {
    const product = await startPrepared();
    const key = demoKey(product);
    const idempotencyKey = newKey("in-flight");
    const tokenId = await anyToken(product.port, key);
    const body = { tokenId, action: "BUY", orderType: "market", amount: 5, idempotencyKey };
    const headers = { "x-rehearse": "slow" };
    const answer = send(product.port, { method: "POST", path: "/v1/orders", key, body, headers });
    await until("the slow order is executed", async () =>
      (await allOrders(product.port, key)).some((order) => order.idempotencyKey === idempotencyKey),
    );

    const stopped = product.stop();
    await until("new connections are refused", async () => !(await isConnectable(product)));
    expect(readData(await answer)).toMatchObject({ idempotencyKey, status: "filled" });
    const { code, inMs } = await stopped;
    print(`shutdown with a slow request in flight: ${inMs} ms`);
    expect(code).toBe(0);
    expect(inMs).toBeLessThan(STOP_WITHIN_MS);

    const next = await startProduct({ dataDir: product.dataDir });
    const replay = await send(next.port, { method: "POST", path: "/v1/orders", key, body });
    expect(replay.headers["idempotent-replayed"]).toBe("true");
    expect(replay.text).toBe((await answer).text);
    await next.stop();
  });

  it("exits with 0 within 15 s even if a client never finishes its request", async () => {
    const product = await startPrepared();
    const socket = connect(product.port, "127.0.0.1");
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write("POST /v1/orders HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n");
    // A response to a later request proves that the server has read the earlier bytes.
    expect(await isHealthy(product.port)).toBe(true);
    const { code, inMs } = await product.stop();
    socket.destroy();
    print(`shutdown with a request that never ends: ${inMs} ms`);
    expect(code).toBe(0);
  });

  it("right after the start stops the server too", async () => {
    const product = await startPrepared();
    const answer = await send(product.port, { method: "GET", path: "/v1/positions" });
    expect(readCode(answer)).toBe("MISSING_API_KEY");
    const { code, inMs } = await product.stop();
    expect(code).toBe(0);
    print(`shutdown of an idle server: ${inMs} ms`);
  });
});

function isConnectable({ port }: Product): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
