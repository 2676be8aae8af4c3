// How cost grows: with connections, with users, and with the orders that rest in one market.
import { flatFrom, reportGrowth, shortfallOf } from "@/tests/bench/growth";
import {
  type Candidate,
  interleave,
  type Measured,
  measureRound,
  type Pace,
  QUICK,
  summarize,
} from "@/tests/bench/measure";
import { bearer, ORDER_ID, pick, placeAll, resting, type Token, undo } from "@/tests/bench/orders";
import { failuresOf, load } from "@/tests/bench/load/load";
import type { Call } from "@/tests/bench/load/scenario";
import type { Service } from "@/tests/bench/services";
import { READS, type Stage } from "@/tests/bench/stage";

const CONNECTIONS = [1, 10, 50, 200];
const USERS = [1, 10, 100, 1_000];
const DEPTHS = [10, 500, 5_000];
/** Few enough that the book keeps the depth of the row's name. */
const FEW: Pace = { rounds: 5, connections: 10, requests: 150 };
const SHORT: Pace = { ...QUICK, rounds: 2 };
/** The bench must end in ten minutes; a slow machine fills its books less. */
const FILL_WITHIN_S = 30;
/** Bids rest on so many prices, all far below what the house bids. */
const PRICES = 5;

export async function measureGrowth(stage: Stage): Promise<void> {
  await measureConnections(stage);
  await measureUsers(stage);
  await measureDepth(stage);
}

/** More connections on one process, reading and placing. */
async function measureConnections(stage: Stage): Promise<void> {
  for (const [name, candidate] of [
    ["GET balance by connections", balanceOf(stage)],
    ["resting order by connections", placementBy(stage, 200)],
  ] as const) {
    const measured = new Map<string, Measured>();
    for (const connections of CONNECTIONS) {
      const rounds = [];
      for (let round = 0; round < SHORT.rounds; round += 1) {
        const found = await measureRound(candidate, { ...SHORT, connections });
        await candidate.afterRound?.(found.collected);
        rounds.push(found);
      }
      measured.set(plural(connections, "connection"), summarize(rounds));
    }
    reportGrowth(name, measured);
  }
}

/** The same load from one user, who takes turns with himself, to a thousand. */
async function measureUsers(stage: Stage): Promise<void> {
  const candidates = USERS.map((count) => ({
    ...placementBy(stage, count),
    name: plural(count, "user"),
  }));
  reportGrowth("resting order by users", await interleave(candidates, SHORT));
}

/** The same order into books of different depth, each in a market of its own. */
async function measureDepth(stage: Stage): Promise<void> {
  const { one, onPostgres } = stage;
  const candidates: Candidate[] = [];
  const shortfalls = new Map<string, string | null>();
  for (const [index, depth] of DEPTHS.entries()) {
    const token = pick(onPostgres.tokens, index);
    const bids = placeAll(onPostgres.traders, [token], (each) => resting(each));
    const levels = Array.from({ length: depth }, (_, at) => pick(bids, at));
    const rest = await fillBook(one, spreadOverPrices(levels));
    const name = `${rest.toLocaleString("en-US")} resting`;
    shortfalls.set(name, shortfallOf(rest, depth));
    candidates.push({ ...placementOn(stage, 100, [token]), name });
  }
  const measured = await interleave(candidates, FEW);
  reportGrowth("resting order by depth of its book", measured, flatFrom, shortfalls);
}

/** Places these orders, as many as fit into the time. Returns how many rest. */
async function fillBook({ port }: Service, calls: readonly Call[]): Promise<number> {
  const result = await load({
    ports: [port],
    calls,
    connections: FEW.connections,
    requests: calls.length,
    seconds: FILL_WITHIN_S,
  });
  const failures = failuresOf(result);
  if (failures !== null) throw new Error(failures);
  return result.latencies.length;
}

function spreadOverPrices(calls: readonly Call[]): Call[] {
  return calls.map((call, index) => {
    const body = (call.body ?? "").replace('"price":0.01', `"price":0.0${1 + (index % PRICES)}`);
    return { ...call, body };
  });
}

function balanceOf({ one, onPostgres }: Stage): Candidate {
  const calls = onPostgres.readers.map(({ apiKey }) => ({
    method: "GET" as const,
    path: READS.balance(),
    headers: bearer(apiKey),
  }));
  return { name: "", ports: [one.port], pids: one.pids, calls };
}

const placementBy = (stage: Stage, users: number): Candidate =>
  placementOn(stage, users, stage.onPostgres.tokens);

/** Placing by so many users; what was placed is canceled after each round. */
function placementOn(
  { one, onPostgres }: Stage,
  users: number,
  tokens: readonly Token[],
): Candidate {
  const calls = placeAll(onPostgres.traders.slice(0, users), tokens, (token) => resting(token));
  return {
    name: "",
    ports: [one.port],
    pids: one.pids,
    calls,
    collect: ORDER_ID,
    afterRound: undo(one, calls),
  };
}

const plural = (count: number, noun: string) =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
