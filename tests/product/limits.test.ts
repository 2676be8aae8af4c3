import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import {
  type Answer,
  expectCleanBooks,
  newKey,
  readData,
  runAdmin,
  seedUsers,
  send,
  tradableTokens,
} from "@/tests/support/product/product";
import { useProcesses } from "@/tests/support/product/processes";
import { Random, readSeed } from "@/tests/support/random";

/** The long run: LIMIT_PROCESSES=4 LIMIT_ORDERS=200 CRASH_ROUNDS=100. */
const PROCESSES = Number(process.env["LIMIT_PROCESSES"] ?? 2);
const ORDERS = Number(process.env["LIMIT_ORDERS"] ?? 40);
const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 4);
const LATEST_MS = 400;
const ROUND_MS = 60_000;

/** Twelve orders of a dollar fit, and one of half a dollar. */
const LIMIT = "12.5";
const FULL = 12;
const AMOUNTS = ["perDay", "total", "openExposure", "perMarket"] as const;
/** The clock of ordersPerMinute does not stand still here; tests/db/limits has it. */
const COUNTS = ["maxOpenOrders"] as const;

const processes = useProcesses(PROCESSES);
const { servers, portOf } = processes;
let tokenIds: string[] = [];

beforeAll(async () => {
  const [seeded] = await seedUsers(processes.env, 1, "1000");
  if (!seeded) throw new Error("no user was seeded");
  tokenIds = (await tradableTokens(portOf(0), seeded.apiKey)).slice(0, 8);
}, ROUND_MS);

interface State {
  limit: string | number;
  used: string | number;
  reserved: string | number;
  remaining: string | number;
}

const toMicro = (value: string | number) => Math.round(Number(value) * 1_000_000);

/** Creates a key with limits for a new user, because a user can have 20 keys. */
async function makeKey(name: string, limits: object): Promise<string> {
  const [user] = await seedUsers(processes.env, 1, "1000");
  const args = ["keys:create", "--user", user?.userId ?? "", "--name", name];
  args.push("--scopes", "read,trade,cancel");
  const made = await runAdmin(
    [...args, "--limits", JSON.stringify(limits), "--json"],
    processes.env,
  );
  return (JSON.parse(made.stdout) as { apiKey: string }).apiKey;
}

const place = (port: number, key: string, tokenId: string, size: number): Promise<Answer> =>
  send(port, {
    method: "POST",
    path: "/v1/orders",
    key,
    body: {
      tokenId,
      action: "BUY",
      orderType: "limit",
      price: 0.1,
      shares: size,
      idempotencyKey: newKey("limit"),
    },
  });

async function readStates(key: string): Promise<Record<string, State>> {
  const answer = await send(portOf(0), { method: "GET", path: "/v1/key", key });
  return readData<{ limits: Record<string, State> }>(answer).limits;
}

/** Places orders at all processes at once, and kills one of them meanwhile. */
async function placeUnderCrash(key: string, tokens: readonly string[], random: Random) {
  const placing = Array.from({ length: ORDERS }, (_, index) =>
    place(portOf(index), key, tokens[index % tokens.length] ?? "", 10).catch(() => null),
  );
  await wait(random.integer(1, LATEST_MS));
  const victim = random.integer(0, servers.length - 1);
  const restart = await processes.kill(victim);
  const answers = await Promise.all(placing);
  await restart();
  return answers.filter((answer) => answer?.status === 200).length;
}

it(
  `${ROUNDS} times, ${ORDERS} orders at once at ${PROCESSES} processes with a kill use no limit beyond its end, and all of it afterwards`,
  async () => {
    const random = new Random(readSeed());
    process.stdout.write(`limits: PRODUCT_SEED=${random.seed}\n`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = [...AMOUNTS, ...COUNTS][round % (AMOUNTS.length + COUNTS.length)] ?? "perDay";
      const isCount = COUNTS.some((counted) => counted === name);
      const key = await makeKey(`${name} ${round}`, { [name]: isCount ? FULL : LIMIT });
      // A limit of one market is used up in one market.
      const tokens = name === "perMarket" ? tokenIds.slice(0, 1) : tokenIds;
      const accepted = await placeUnderCrash(key, tokens, random.fork(round));
      const state = (await readStates(key))[name];
      if (!state) throw new Error(`${name} is shown`);
      const used = toMicro(state.used) + toMicro(state.reserved);
      process.stdout.write(
        `limits ${round}: ${name}, ${accepted} accepted, ${used / 1e6} of ${state.limit}\n`,
      );
      expect(used).toBeLessThanOrEqual(toMicro(state.limit));
      expect(used).toBeGreaterThanOrEqual(accepted * 1_000_000);
      await useUp(key, name, tokens[0] ?? "");
    }
    expect(await processes.stopAll()).toEqual(servers.map(() => 0));
    await expectCleanBooks(processes.env);
  },
  ROUND_MS + ROUNDS * ROUND_MS,
);

/** Uses up the rest of a limit after a crash, and checks that nothing more is accepted. */
async function useUp(key: string, name: string, tokenId: string): Promise<void> {
  const port = portOf(0);
  const isCount = COUNTS.some((counted) => counted === name);
  for (let left = ORDERS; left > 0; left -= 1) {
    const remaining = Number((await readStates(key))[name]?.remaining);
    if (remaining < 1) break;
    expect((await place(port, key, tokenId, 10)).status).toBe(200);
  }
  if (!isCount) {
    expect((await readStates(key))[name]?.remaining).toBe("0.5");
    expect((await place(port, key, tokenId, 5)).status).toBe(200);
  }
  expect(Number((await readStates(key))[name]?.remaining)).toBe(0);
  const refused = await place(port, key, tokenId, 5);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("RISK_LIMIT_EXCEEDED");
}
