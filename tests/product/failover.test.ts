import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Address, openAddress } from "@/tests/support/database/address";
import {
  freePort,
  type PostgresServer,
  startPostgres,
} from "@/tests/support/database/postgres.mjs";
import { promote, startStandby } from "@/tests/support/database/standby";
import {
  cleanUpAfterwards,
  type Environment,
  expectCleanBooks,
  freshDataDir,
  newKey,
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

/** `npm run drill:failover` plays more rounds, and checks how soon the service recovers. */
const ROUNDS = Number(process.env["FAILOVER_ROUNDS"] ?? 1);
const WITHIN_MS = Number(process.env["FAILOVER_WITHIN_MS"] ?? Infinity);
const ROUND_MS = 60_000;

const SECRETS = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 11).toString("base64")}`,
  API_KEY_PEPPER: "pepper-of-the-failover-with-32-characters",
  NEXTAUTH_SECRET: "session-of-the-failover-with-32-characters",
  CRON_SECRET: "cron-secret-of-the-failover-with-32-characters",
};

let [primary, standby]: (PostgresServer | undefined)[] = [];
let address: Address | undefined;
let env: Environment;
let servers: [Product, Product];

// Registered first, so that it runs last: the servers must stop before their database.
afterAll(async () => {
  address?.close();
  for (const server of [standby, primary]) await server?.stop();
});
cleanUpAfterwards();

beforeAll(async () => {
  primary = await startPostgres();
  standby = await startStandby(primary, await freePort());
  address = await openAddress(primary.port);
  const at = (hosts: string) => `postgres://ante@${hosts}/postgres`;
  const hosts = at([primary, standby].map(({ port }) => `127.0.0.1:${port}`).join());
  env = {
    ...SECRETS,
    ...NO_LIMITS,
    LOG_LEVEL: "fatal",
    DATABASE_URL: `${hosts}?target_session_attrs=read-write`,
  };
  // One process knows both servers; the other one knows an address that moves.
  const byAddress = { ...env, DATABASE_URL: at(`127.0.0.1:${address.port}`) };
  servers = await Promise.all([
    startProduct({ dataDir: freshDataDir(), env }),
    startProduct({ dataDir: freshDataDir(), env: byAddress }),
  ]);
});

it(
  `${ROUNDS} times a failover to the standby under load loses no confirmed order and doubles none`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`failover: PRODUCT_SEED=${random.seed}\n`);
    const users = await seedUsers(env, 5, "100000");
    const [key = "", ...apiKeys] = users.map(({ apiKey }) => apiKey);
    const ports = servers.map(({ port }) => port);
    const [port = 0] = ports;
    const tokenIds = (await tradableTokens(port, key)).slice(0, 8);
    const all: Journal = { placements: [], cancellations: [] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const name = `failover-${round}`;
      const load = startLoad({ ports, apiKeys, tokenIds, random: random.fork(round), name });
      await load.untilAnswered(50);
      await wait(random.integer(50, 400));
      await failOver();
      const readyAt = performance.now();
      const accepted = ports.map(async (each) => {
        await until("the service accepts orders", () => accepts(each, key, tokenIds[0] ?? ""));
        return Math.round(performance.now() - readyAt);
      });
      const recoveredInMs = await Promise.all(accepted);
      const answered = load.journal.placements.filter(({ told }) => told?.status === 200).length;
      await load.untilAnswered(answered + 50);
      await load.stop();
      const codes = forgetUnknown(load.journal);
      process.stdout.write(
        `failover ${round}: several hosts after ${recoveredInMs[0]} ms, moved address after ` +
          `${recoveredInMs[1]} ms; ${summarize(load.journal)}; ${[...codes].join(" ")}\n`,
      );
      for (const took of recoveredInMs) expect(took).toBeLessThan(WITHIN_MS);
      for (const server of servers) expect(server.hasEnded(), server.output()).toBe(false);
      await expectKept(load.journal, ports);
      append(all, load.journal);
      if (round < ROUNDS) await replaceStandby();
    }
    await expectRepeated(all, ports);
    process.stdout.write(`failover: ${await expectOneOrderPerKey(all, port)} orders\n`);
    for (const server of servers) expect((await server.stop()).code).toBe(0);
    await expectCleanBooks(env);
  },
  120_000 + ROUNDS * ROUND_MS,
);

/** Kills the primary, promotes its standby and moves the address to it. */
async function failOver(): Promise<void> {
  if (!primary || !standby) throw new Error("both servers run");
  await primary.halt("SIGKILL");
  await promote(standby);
  address?.moveTo(standby.port);
}

/** Starts a new standby of the promoted server, in place of the killed one. */
async function replaceStandby(): Promise<void> {
  if (!primary || !standby) throw new Error("one server runs");
  await primary.stop();
  const { port } = primary;
  primary = standby;
  standby = await startStandby(primary, port);
}

/** Places an order of its own. Returns whether it is confirmed. */
async function accepts(port: number, key: string, tokenId: string): Promise<boolean> {
  const body = { tokenId, action: "BUY", orderType: "limit", price: 0.01, shares: 5 };
  const idempotencyKey = newKey("recovered");
  const path = "/v1/orders";
  const answer = await send(port, {
    method: "POST",
    path,
    key,
    body: { ...body, idempotencyKey },
  });
  return answer.status === 200;
}
