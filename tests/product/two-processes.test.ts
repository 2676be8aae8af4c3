import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  anyToken,
  cleanUpAfterwards,
  codeOf,
  dataOf,
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
} from "@/tests/support/product";
import {
  append,
  expectKept,
  expectOneOrderPerKey,
  expectRepeated,
  type Journal,
  startLoad,
  summaryOf,
} from "@/tests/support/product-load";
import { Random, readSeed } from "@/tests/support/product-random";
import { formOf, postForm, signIn } from "@/tests/support/product-session";
import { startPostgres } from "@/tests/support/postgres.mjs";

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

// Registered first, so that it runs last: the servers end before their database does.
afterAll(() => stopPostgres());
cleanUpAfterwards();

beforeAll(async () => {
  const postgres = await startPostgres();
  stopPostgres = postgres.stop;
  env = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url };
  // Both at once, on an empty database that each of them finds without its tables.
  servers = await Promise.all([
    startProduct({ dataDir: freshDataDir(), env }),
    startProduct({ dataDir: freshDataDir(), env }),
  ]);
});

describe("two processes on one Postgres", () => {
  it("start at the same time on an empty database, and seed nothing", async () => {
    for (const { dataDir, output } of servers) {
      expect(existsSync(join(dataDir, "demo.json"))).toBe(false);
      expect(existsSync(join(dataDir, "db"))).toBe(false);
      expect(output()).not.toContain("demo");
    }
    const { stdout } = await runAdmin(["verify", "--json"], env);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, accounts: 0, orders: 0, transfers: 0 });
  });

  it("know the users and keys that the admin verb makes while they run", async () => {
    const [seeded] = await seedUsers(env, 1, "1000");
    if (!seeded) throw new Error("no user was seeded");
    user = seeded;
    for (const { port } of servers) {
      const path = "/v1/account/balance";
      const answer = await send(port, { method: "GET", path, key: user.apiKey });
      expect(dataOf(answer)).toMatchObject({ userId: user.userId, balanceUsdc: 1000 });
    }
    tokenId = await anyToken(servers[0].port, user.apiKey);
  });

  it("make one order of 50 posts of one key that alternate between them", async () => {
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
    expect(dataOf(found)["orders"]).toMatchObject([{ idempotencyKey, status: "filled" }]);
  });

  it("show each other's orders, and cancel them", async () => {
    const key = user.apiKey;
    const [here, there] = servers;
    const body = { tokenId, action: "BUY", orderType: "limit", price: 0.1, shares: 10 };
    const placed = await send(here.port, { method: "POST", path: "/v1/orders", key, body });
    const { orderId } = dataOf<{ orderId: string }>(placed);
    const open = await send(there.port, { method: "GET", path: "/v1/orders/open", key });
    expect(dataOf(open)["orders"]).toMatchObject([{ id: orderId }]);
    const path = `/v1/orders/${orderId}`;
    const canceled = await send(there.port, { method: "DELETE", path, key });
    expect(dataOf(canceled)).toMatchObject({ id: orderId, status: "canceled" });
    expect((await send(here.port, { method: "DELETE", path, key })).text).toBe(canceled.text);
    expect((await send(here.port, { method: "GET", path, key })).text).toBe(canceled.text);
  });

  it("refuse at once, both of them, a key that was revoked through one", async () => {
    const [here, there] = servers;
    const [owner] = await seedUsers(env, 1, "10");
    if (!owner) throw new Error("no user was seeded");
    const ask = ({ port }: Product) =>
      send(port, { method: "GET", path: "/v1/account/balance", key: owner.apiKey });
    for (const server of servers) expect((await ask(server)).status).toBe(200);
    const cookie = await signIn(here.port, owner);
    const path = `/keys/${/^ante_paper_(.{8})/.exec(owner.apiKey)?.[1]}/revoke`;
    const page = await send(here.port, { method: "GET", path, headers: { cookie } });
    const form = { ...formOf(page.text, 'name="name"'), name: "seed" };
    expect((await postForm(here.port, { path, form, headers: { cookie } })).status).toBe(303);
    for (const server of [there, here]) expect(codeOf(await ask(server))).toBe("API_KEY_REVOKED");
  });

  it("spend a balance once: 40 parallel orders over both", async () => {
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
    expect(new Set(refused.map(codeOf))).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
    // A hold is 1 USDC, and the worst fee where the market has one.
    expect(answers.length - refused.length).toBeLessThanOrEqual(10);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(9);
  });
});

it(
  `${ROUNDS} times kill -9 of one of them under load: nothing answered is lost, no key has two orders`,
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
      // The load goes on over the other one while this one starts again.
      servers[victim] = await startProduct({ dataDir, env, port });
      await load.stop();
      process.stdout.write(
        `two processes ${round}: ${victim} after ${killedAfterMs} ms, ${summaryOf(load.journal)}\n`,
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

it("a process whose database is gone answers 502, takes no order, and still stops in good order", async () => {
  const [one, other] = servers;
  expect((await one.stop()).code).toBe(0);
  await expectCleanBooks(env);
  await stopPostgres();
  stopPostgres = async () => {};

  const { port } = other;
  const key = user.apiKey;
  const health = await send(port, { method: "GET", path: "/health" });
  expect([health.status, codeOf(health)]).toEqual([502, "DATABASE_UNAVAILABLE"]);
  const body = { tokenId, action: "BUY", orderType: "market", amount: 1 };
  const refused = await send(port, { method: "POST", path: "/v1/orders", key, body });
  expect([refused.status, codeOf(refused)]).toEqual([502, "DATABASE_UNAVAILABLE"]);
  const page = await send(port, { method: "GET", path: "/docs" });
  expect(page.status).toBe(200);
  expect((await other.stop()).code).toBe(0);
});
