// How the cost grows with connections, with users and with the orders in one book.
import {
  type Candidate,
  describeShortfall,
  makeFlatTarget,
  measureAlternately,
  type Measured,
  measureRound,
  type Pace,
  QUICK,
  reportGrowth,
  summarize,
} from "@/bench/measure";
import {
  bearer,
  ORDER_ID,
  pick,
  buildPlacements,
  buildResting,
  type Token,
  makeUndo,
} from "@/bench/orders";
import { describeFailures, load } from "@/bench/load/load";
import type { Call } from "@/bench/load/scenario";
import type { Service } from "@/bench/services";
import { READS, type Stage } from "@/bench/stage";

const CONNECTIONS = [1, 10, 50, 200];
const USERS = [1, 10, 100, 1_000];
const DEPTHS = [10, 500, 5_000];
/** Few requests, so that the book keeps the depth in the row's name. */
const FEW: Pace = { rounds: 5, connections: 10, requests: 150 };
const SHORT: Pace = { ...QUICK, rounds: 2 };
/** The benchmark must end in ten minutes, so a slow machine places fewer orders. */
const FILL_WITHIN_S = 30;
/** The number of price levels, all far below the house's bids. */
const PRICES = 5;

export async function measureGrowth(stage: Stage): Promise<void> {
  await measureConnections(stage);
  await measureUsers(stage);
  await measureDepth(stage);
}

/** Measures reads and placements with more connections on one process. */
async function measureConnections(stage: Stage): Promise<void> {
  for (const [name, candidate] of [
    ["GET balance by connections", makeBalanceReads(stage)],
    ["resting order by connections", makePlacementsBy(stage, 200)],
  ] as const) {
    const measured = new Map<string, Measured>();
    for (const connections of CONNECTIONS) {
      const rounds = [];
      for (let round = 0; round < SHORT.rounds; round += 1) {
        const found = await measureRound(candidate, { ...SHORT, connections });
        await candidate.afterRound?.(found.collected);
        rounds.push(found);
      }
      measured.set(formatCount(connections, "connection"), summarize(rounds));
    }
    reportGrowth(name, measured);
  }
}

/** Measures the same load from one user, whose orders wait for each other, to a thousand users. */
async function measureUsers(stage: Stage): Promise<void> {
  const candidates = USERS.map((count) => ({
    ...makePlacementsBy(stage, count),
    name: formatCount(count, "user"),
  }));
  reportGrowth("resting order by users", await measureAlternately(candidates, SHORT));
}

/** Measures the same order in books of different depth, each in its own market. */
async function measureDepth(stage: Stage): Promise<void> {
  const { one, onPostgres } = stage;
  const candidates: Candidate[] = [];
  const shortfalls = new Map<string, string | null>();
  for (const [index, depth] of DEPTHS.entries()) {
    const token = pick(onPostgres.tokens, index);
    const bids = buildPlacements(onPostgres.traders, [token], (each) => buildResting(each));
    const levels = Array.from({ length: depth }, (_, at) => pick(bids, at));
    const rest = await fillBook(one, spreadOverPrices(levels));
    const name = `${rest.toLocaleString("en-US")} resting`;
    shortfalls.set(name, describeShortfall(rest, depth));
    candidates.push({ ...makePlacementsOn(stage, 100, [token]), name });
  }
  const measured = await measureAlternately(candidates, FEW);
  reportGrowth("resting order by depth of its book", measured, makeFlatTarget, shortfalls);
}

/** Places these orders until the time is up. Returns how many rest. */
async function fillBook({ port }: Service, calls: readonly Call[]): Promise<number> {
  const result = await load({
    ports: [port],
    calls,
    connections: FEW.connections,
    requests: calls.length,
    seconds: FILL_WITHIN_S,
  });
  const failures = describeFailures(result);
  if (failures !== null) throw new Error(failures);
  return result.latencies.length;
}

function spreadOverPrices(calls: readonly Call[]): Call[] {
  return calls.map((call, index) => {
    const body = (call.body ?? "").replace('"price":0.01', `"price":0.0${1 + (index % PRICES)}`);
    return { ...call, body };
  });
}

function makeBalanceReads({ one, onPostgres }: Stage): Candidate {
  const calls = onPostgres.readers.map(({ apiKey }) => ({
    method: "GET" as const,
    path: READS.balance(),
    headers: bearer(apiKey),
  }));
  return { name: "", ports: [one.port], pids: one.pids, calls };
}

const makePlacementsBy = (stage: Stage, users: number): Candidate =>
  makePlacementsOn(stage, users, stage.onPostgres.tokens);

/** Makes placements by a number of users. Cancels the orders after each round. */
function makePlacementsOn(
  { one, onPostgres }: Stage,
  users: number,
  tokens: readonly Token[],
): Candidate {
  const calls = buildPlacements(onPostgres.traders.slice(0, users), tokens, (token) =>
    buildResting(token),
  );
  return {
    name: "",
    ports: [one.port],
    pids: one.pids,
    calls,
    collect: ORDER_ID,
    afterRound: makeUndo(one, calls),
  };
}

const formatCount = (count: number, noun: string) =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
