import { rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeNextVersion } from "@/tests/support/product/next-version";
import { startPostgres } from "@/tests/support/database/postgres.mjs";
import {
  cleanUpAfterwards,
  type Environment,
  expectCleanBooks,
  freshDataDir,
  NO_LIMITS,
  type Product,
  ROOT,
  seedUsers,
  startProduct,
  tradableTokens,
} from "@/tests/support/product/product";
import {
  append,
  expectKept,
  expectOneOrderPerKey,
  expectRepeated,
  forgetUnknown,
  type Journal,
  type Load,
  startLoad,
  summarize,
} from "@/tests/support/product/load";
import { Random, readSeed } from "@/tests/support/random";

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 3).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-the-upgrade-with-32-characters",
  NEXTAUTH_SECRET: "session-of-the-upgrade-with-32-characters",
  CRON_SECRET: "cron-secret-of-the-upgrade-with-32-characters",
};
/** A migration that only adds, and locks the busiest tables for a while. */
const NEXT = [
  "create table next_version (id text primary key, order_id text references orders (id))",
  "alter table orders add column next_note text not null default ''",
  "alter table idempotency_keys add column next_note text",
  "alter table ledger_accounts add column next_note text",
  "create index next_orders on orders (next_note, created_at)",
  "do $$ begin lock table orders in access exclusive mode; perform pg_sleep(0.5); end $$",
];
/** The errors after which a request must be repeated while a table is locked. */
const HELD_UP = ["ORDER_IN_PROGRESS", "DATABASE_UNAVAILABLE"];

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let env: Environment;
let before: Product;
let nextRoot = "";

// Registered first, so that it runs last: the servers must stop before their database.
afterAll(async () => {
  await postgres.stop();
  rmSync(nextRoot, { recursive: true, force: true });
});
cleanUpAfterwards();

beforeAll(async () => {
  postgres = await startPostgres();
  nextRoot = makeNextVersion(NEXT).root;
  env = { ...SECRETS, ...NO_LIMITS, DATABASE_URL: postgres.url };
  before = await startProduct({ dataDir: freshDataDir(), env });
});

/** The same service with one more migration. */
const startNext = () =>
  startProduct({
    dataDir: freshDataDir(),
    env,
    cwd: nextRoot,
    args: () => [join(ROOT, "server.mjs")],
  });

async function isMigrated(): Promise<boolean> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query("select to_regclass('next_version') is not null as is_there");
  await client.end();
  return (rows as { is_there: boolean }[])[0]?.is_there ?? false;
}

it("a migration beside the old version under load causes only 200, 400 or 502, and no order is lost or doubled", async () => {
  const random = new Random(readSeed());
  process.stdout.write(`upgrade: PRODUCT_SEED=${random.seed}\n`);
  const users = await seedUsers(env, 4, "100000");
  const apiKeys = users.map(({ apiKey }) => apiKey);
  const tokenIds = (await tradableTokens(before.port, apiKeys[0] ?? "")).slice(0, 8);
  const all: Journal = { placements: [], cancellations: [] };
  const load = (name: string, ports: readonly number[]) =>
    startLoad({ ports, apiKeys, tokenIds, random: random.fork(all.placements.length), name });
  const goOn = async ({ journal, untilAnswered }: Load, count = 30) => {
    const answered = journal.placements.filter(({ told }) => told?.status === 200).length;
    await untilAnswered(answered + count);
  };
  const readEnd = async (ended: Load, ports: readonly number[]) => {
    await ended.stop();
    const codes = forgetUnknown(ended.journal);
    process.stdout.write(`upgrade: ${summarize(ended.journal)}; ${[...codes].join(" ")}\n`);
    await expectKept(ended.journal, ports);
    append(all, ended.journal);
    return [...codes];
  };

  const during = load("during", [before.port]);
  await goOn(during);
  expect(await isMigrated()).toBe(false);
  const next = await startNext();
  expect(await isMigrated()).toBe(true);
  await goOn(during);
  const ports = [before.port, next.port];
  for (const code of await readEnd(during, ports)) expect(HELD_UP).toContain(code);

  const beside = load("beside", ports);
  await goOn(beside);
  expect((await before.stop()).code, before.output()).toBe(0);
  await goOn(beside);
  expect(await readEnd(beside, [next.port])).toEqual([]);

  // The old version can start again, beside the new one or instead of it.
  const again = await startProduct({ dataDir: freshDataDir(), env });
  const back = load("back", [again.port, next.port]);
  await goOn(back);
  expect((await next.stop()).code, next.output()).toBe(0);
  await goOn(back);
  expect(await readEnd(back, [again.port])).toEqual([]);

  await expectRepeated(all, [again.port]);
  process.stdout.write(`upgrade: ${await expectOneOrderPerKey(all, again.port)} orders\n`);
  expect((await again.stop()).code, again.output()).toBe(0);
  await expectCleanBooks(env);
});
