// How the cost grows with connections, with users and with the orders in one book.
import {
  type Candidate,
  choosePace,
  measureAlternately,
  type Measured,
  measureRound,
  type Pace,
  type Round,
  ROUNDS,
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
import type { Allowance } from "@/bench/schedule";
import { READS, type Stage } from "@/bench/stage";
import { describeShortfall, makeFlatTarget, reportGrowth } from "@/bench/targets";

const CONNECTIONS = [1, 10, 50, 200];
const USERS = [1, 10, 100];
const DEPTHS = [10, 500, 5_000];
/** Few requests, so that the book keeps the depth in the row's name. */
const FEW: Pace = { connections: 10, requests: 100 };
/** A slow machine places fewer orders, so that there is time to measure. */
const FILL_PART = 0.5;
/** The number of price levels, all far below the house's bids. */
const PRICES = 5;

export async function measureGrowth(stage: Stage, allowance: Allowance): Promise<void> {
  await measureDepth(stage, allowance.share(2));
  await measureConnections(stage, allowance.share(2));
  await measureUsers(stage, allowance.share(1));
}

/** Measures reads and placements with more connections on one process. */
async function measureConnections(stage: Stage, allowance: Allowance): Promise<void> {
  const pace = choosePace(allowance, 2 * CONNECTIONS.length);
  for (const [name, candidate] of [
    ["GET balance by connections", makeBalanceReads(stage)],
    ["resting order by connections", makePlacementsBy(stage, 100)],
  ] as const) {
    const own = allowance.share(1);
    const rounds = new Map<number, Round[]>(CONNECTIONS.map((each) => [each, []]));
    for (let round = 0; round < ROUNDS && own.allows(2 * round); round += 1) {
      for (const connections of CONNECTIONS) {
        const found = await measureRound(candidate, { ...pace, connections });
        await candidate.afterRound?.(found.collected);
        rounds.get(connections)?.push(found);
      }
    }
    const measured = new Map<string, Measured>();
    for (const [connections, list] of rounds) {
      measured.set(formatCount(connections, "connection"), summarize(list));
    }
    reportGrowth(name, measured);
  }
}

/** Measures the same load from one user, whose orders wait for each other, to many. */
async function measureUsers(stage: Stage, allowance: Allowance): Promise<void> {
  const candidates = USERS.map((count) => ({
    ...makePlacementsBy(stage, count),
    name: formatCount(count, "user"),
  }));
  reportGrowth("resting order by users", await measureAlternately(candidates, allowance));
}

/** Measures the same order in books of different depth, each in its own market. */
async function measureDepth(stage: Stage, allowance: Allowance): Promise<void> {
  const { one, onPostgres } = stage;
  const candidates: Candidate[] = [];
  const shortfalls = new Map<string, string | null>();
  for (const [index, depth] of DEPTHS.entries()) {
    const token = pick(onPostgres.tokens, index);
    const bids = buildPlacements(onPostgres.traders, [token], (each) => buildResting(each));
    const levels = Array.from({ length: depth }, (_, at) => pick(bids, at));
    const seconds = FILL_PART * allowance.left;
    const rest = await fillBook(one, spreadOverPrices(levels), seconds);
    const name = `${rest.toLocaleString("en-US")} resting`;
    shortfalls.set(name, describeShortfall(rest, depth));
    candidates.push({ ...makePlacementsOn(stage, 100, [token]), name });
  }
  const measured = await measureAlternately(candidates, allowance, FEW);
  reportGrowth("resting order by depth of its book", measured, makeFlatTarget, shortfalls);
}

/** Places these orders until the time is up. Returns how many rest. */
async function fillBook(
  { port }: Service,
  calls: readonly Call[],
  seconds: number,
): Promise<number> {
  const result = await load({
    ports: [port],
    calls,
    connections: FEW.connections,
    requests: calls.length,
    seconds,
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
  return { name: "", ports: [one.port], readCpu: one.readCpu, calls };
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
    readCpu: one.readCpu,
    calls,
    collect: ORDER_ID,
    afterRound: makeUndo(one, calls),
  };
}

const formatCount = (count: number, noun: string) =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
