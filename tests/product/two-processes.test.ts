import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  anyToken,
  cleanUpAfterwards,
  readCode,
  readData,
  type Environment,
  expectCleanBooks,
  freshDataDir,
  newKey,
  NO_LIMITS,
  type Product,
  runAdmin,
  send,
  type SeededUser,
  seedUsers,
  startProduct,
  tradableTokens,
} from "@/tests/support/product/product";
import {
  append,
  expectKept,
  expectOneOrderPerKey,
  expectRepeated,
  type Journal,
  startLoad,
  summarize,
} from "@/tests/support/product/load";
import { Random, readSeed } from "@/tests/support/random";
import { createForm, postForm, signIn } from "@/tests/support/product/session";
import { startPostgres } from "@/tests/support/database/postgres.mjs";

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 4);
const EARLIEST_MS = 80;
const LATEST_MS = 900;
const ROUND_MS = 30_000;

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-two-processes-with-32-characters",
  NEXTAUTH_SECRET: "session-of-two-processes-with-32-characters",
  CRON_SECRET: "cron-of-two-processes-with-32-characters",
};

let stopPostgres = async () => {};
let env: Environment;
let servers: [Product, Product];
let user: SeededUser;
let tokenId = "";

// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => stopPostgres());
cleanUpAfterwards();

beforeAll(async () => {
  const postgres = await startPostgres();
  stopPostgres = postgres.stop;
  env = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url };
  // Both start together on an empty database without tables.
  servers = await Promise.all([
    startProduct({ dataDir: freshDataDir(), env }),
    startProduct({ dataDir: freshDataDir(), env }),
  ]);
});

describe("two processes on one Postgres", () => {
  it("start together on an empty database without a demo account", async () => {
    for (const { dataDir, output } of servers) {
      expect(existsSync(join(dataDir, "demo.json"))).toBe(false);
      expect(existsSync(join(dataDir, "db"))).toBe(false);
      expect(output()).not.toContain("demo");
    }
    const { stdout } = await runAdmin(["verify", "--json"], env);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, accounts: 0, orders: 0, transfers: 0 });
  });

  it("accept users and keys that an admin verb creates while they run", async () => {
    const [seeded] = await seedUsers(env, 1, "1000");
    if (!seeded) throw new Error("no user was seeded");
    user = seeded;
    for (const { port } of servers) {
      const path = "/v1/account/balance";
      const answer = await send(port, { method: "GET", path, key: user.apiKey });
      expect(readData(answer)).toMatchObject({ userId: user.userId, balanceUsdc: 1000 });
    }
    tokenId = await anyToken(servers[0].port, user.apiKey);
  });

  it("create one order from 50 posts of one key that alternate between them", async () => {
    const key = user.apiKey;
    const idempotencyKey = newKey("alternating");
    const body = { tokenId, action: "BUY", orderType: "market", amount: 5, idempotencyKey };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(servers[index % 2 === 0 ? 0 : 1].port, {
          method: "POST",
          path: "/v1/orders",
          key,
          body,
        }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(
      49,
    );
    const found = await send(servers[1].port, { method: "GET", path: "/v1/orders", key });
    expect(readData(found)["orders"]).toMatchObject([{ idempotencyKey, status: "filled" }]);
  });

  it("show and cancel each other's orders", async () => {
    const key = user.apiKey;
    const [here, there] = servers;
    const body = { tokenId, action: "BUY", orderType: "limit", price: 0.1, shares: 10 };
    const placed = await send(here.port, { method: "POST", path: "/v1/orders", key, body });
    const { orderId } = readData<{ orderId: string }>(placed);
    const open = await send(there.port, { method: "GET", path: "/v1/orders/open", key });
    expect(readData(open)["orders"]).toMatchObject([{ id: orderId }]);
    const path = `/v1/orders/${orderId}`;
    const canceled = await send(there.port, { method: "DELETE", path, key });
    expect(readData(canceled)).toMatchObject({ id: orderId, status: "canceled" });
    expect((await send(here.port, { method: "DELETE", path, key })).text).toBe(canceled.text);
    expect((await send(here.port, { method: "GET", path, key })).text).toBe(canceled.text);
  });

  it("both reject a key immediately after one revoked it", async () => {
    const [here, there] = servers;
    const [owner] = await seedUsers(env, 1, "10");
    if (!owner) throw new Error("no user was seeded");
    const ask = ({ port }: Product) =>
      send(port, { method: "GET", path: "/v1/account/balance", key: owner.apiKey });
    for (const server of servers) expect((await ask(server)).status).toBe(200);
    const cookie = await signIn(here.port, owner);
    const path = `/keys/${/^ante_paper_(.{8})/.exec(owner.apiKey)?.[1]}/revoke`;
    const page = await send(here.port, { method: "GET", path, headers: { cookie } });
    const form = { ...createForm(page.text, 'name="name"'), name: "seed" };
    expect((await postForm(here.port, { path, form, headers: { cookie } })).status).toBe(303);
    for (const server of [there, here]) expect(readCode(await ask(server))).toBe("API_KEY_REVOKED");
  });

  it("spend a balance once with 40 parallel orders on both", async () => {
    const [poor] = await seedUsers(env, 1, "10");
    const key = poor?.apiKey ?? "";
    const body = { tokenId, action: "BUY", orderType: "limit", price: 0.1, shares: 10 };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        send(servers[index % 2 === 0 ? 0 : 1].port, {
          method: "POST",
          path: "/v1/orders",
          key,
          body: { ...body, idempotencyKey: newKey("spend") },
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(readCode))).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
    // A hold is 1 USDC plus the maximum fee of the market.
    expect(answers.length - refused.length).toBeLessThanOrEqual(10);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(9);
  });
});

it(
  `${ROUNDS} times kill -9 of one of two under load loses no confirmed order and doubles none`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`two processes: PRODUCT_SEED=${random.seed}\n`);
    const users = await seedUsers(env, 4, "100000");
    const apiKeys = users.map(({ apiKey }) => apiKey);
    const tokenIds = (await tradableTokens(servers[0].port, apiKeys[0] ?? "")).slice(0, 8);
    const all: Journal = { placements: [], cancellations: [] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const ports = servers.map(({ port }) => port);
      const load = startLoad({
        ports,
        apiKeys,
        tokenIds,
        random: random.fork(round),
        name: `r${round}`,
      });
      const victim = random.integer(0, 1) === 0 ? 0 : 1;
      const killedAfterMs = random.integer(EARLIEST_MS, LATEST_MS);
      if (random.chance(0.8)) await load.untilAnswered(16);
      await wait(killedAfterMs);
      const { port, dataDir } = servers[victim];
      await servers[victim].crash();
      // The load continues on the other process while this one restarts.
      servers[victim] = await startProduct({ dataDir, env, port });
      await load.stop();
      process.stdout.write(
        `two processes ${round}: ${victim} after ${killedAfterMs} ms, ${summarize(load.journal)}\n`,
      );
      await expectKept(load.journal, ports);
      append(all, load.journal);
    }
    const [{ port }, other] = servers;
    await expectRepeated(all, [port, other.port]);
    process.stdout.write(
      `two processes: ${ROUNDS} rounds, ${await expectOneOrderPerKey(all, port)} orders\n`,
    );
    await expectCleanBooks(env);
  },
  120_000 + ROUNDS * ROUND_MS,
);

it("a process without its database returns 502, accepts no order and still stops cleanly", async () => {
  const [one, other] = servers;
  expect((await one.stop()).code).toBe(0);
  await expectCleanBooks(env);
  await stopPostgres();
  stopPostgres = async () => {};

  const { port } = other;
  const key = user.apiKey;
  const health = await send(port, { method: "GET", path: "/health" });
  expect([health.status, readCode(health)]).toEqual([502, "DATABASE_UNAVAILABLE"]);
  const body = { tokenId, action: "BUY", orderType: "market", amount: 1 };
  const refused = await send(port, { method: "POST", path: "/v1/orders", key, body });
  expect([refused.status, readCode(refused)]).toEqual([502, "DATABASE_UNAVAILABLE"]);
  const page = await send(port, { method: "GET", path: "/docs" });
  expect(page.status).toBe(200);
  expect((await other.stop()).code).toBe(0);
});
