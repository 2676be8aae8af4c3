import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres } from "@/tests/support/database/postgres.mjs";
import {
  cleanUpAfterwards,
  readCode,
  readData,
  type Environment,
  expectCleanBooks,
  freshDataDir,
  NO_LIMITS,
  type Product,
  seedUsers,
  send,
  startProduct,
  tradableTokens,
  until,
} from "@/tests/support/product/product";
import {
  append,
  expectKept,
  expectOneOrderPerKey,
  expectRepeated,
  forgetUnknown,
  type Journal,
  startLoad,
  summarize,
} from "@/tests/support/product/load";
import { Random, readSeed } from "@/tests/support/random";

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-the-restart-with-32-characters",
  NEXTAUTH_SECRET: "session-of-the-restart-with-32-characters",
  CRON_SECRET: "cron-secret-of-the-restart-with-32-characters",
};

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let env: Environment;
let servers: [Product, Product];

// Registered first, so that it runs last: the servers must stop before their database.
afterAll(() => postgres.stop());
cleanUpAfterwards();

beforeAll(async () => {
  postgres = await startPostgres();
  env = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url, LOG_LEVEL: "fatal" };
  servers = await Promise.all([
    startProduct({ dataDir: freshDataDir(), env }),
    startProduct({ dataDir: freshDataDir(), env }),
  ]);
});

it("a Postgres restart under load causes only 200, 400 or 502, and no order is lost or doubled", async () => {
  const random = new Random(readSeed());
  process.stdout.write(`database restart: PRODUCT_SEED=${random.seed}\n`);
  const users = await seedUsers(env, 4, "100000");
  const apiKeys = users.map(({ apiKey }) => apiKey);
  const ports = servers.map(({ port }) => port);
  const [port = 0] = ports;
  const tokenIds = (await tradableTokens(port, apiKeys[0] ?? "")).slice(0, 8);
  const all: Journal = { placements: [], cancellations: [] };
  for (const [round, signal] of (["SIGINT", "SIGQUIT", "SIGINT", "SIGQUIT"] as const).entries()) {
    const name = `restart-${round}`;
    const load = startLoad({ ports, apiKeys, tokenIds, random: random.fork(round), name });
    await load.untilAnswered(30);
    await wait(random.integer(50, 400));
    await postgres.halt(signal);
    await wait(random.integer(100, 700));
    for (const server of servers) expect(server.hasEnded(), server.output()).toBe(false);
    const health = await send(port, { method: "GET", path: "/health" });
    expect([health.status, readCode(health)]).toEqual([502, "DATABASE_UNAVAILABLE"]);
    const ready = await send(port, {
      method: "GET",
      path: "/api/ops/ready",
      key: SECRETS.CRON_SECRET,
    });
    expect(ready.status).toBe(503);
    await postgres.resume();
    for (const each of ports) {
      await until("the service is well again", async () => {
        const answer = await send(each, { method: "GET", path: "/health" });
        return answer.status === 200;
      });
    }
    const answered = load.journal.placements.filter(({ told }) => told?.status === 200).length;
    await load.untilAnswered(answered + 30);
    await load.stop();
    const codes = forgetUnknown(load.journal);
    process.stdout.write(
      `database restart ${round} (${signal}): ${summarize(load.journal)}; ${[...codes].join(" ")}\n`,
    );
    expect(codes.size).toBeGreaterThan(0);
    await expectKept(load.journal, ports);
    append(all, load.journal);
  }
  await expectRepeated(all, ports);
  process.stdout.write(`database restart: ${await expectOneOrderPerKey(all, port)} orders\n`);
  const balance = await send(port, { method: "GET", path: "/v1/key", key: apiKeys[0] });
  expect(readData(balance)["userId"]).toBe(users[0]?.userId);
  for (const server of servers) expect((await server.stop()).code).toBe(0);
  await expectCleanBooks(env);
});
