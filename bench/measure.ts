// Measures candidates alternately (A B A B), so that other load on the machine affects all alike.
import type { CpuReader } from "@/bench/costs";
import { describeFailures, load } from "@/bench/load/load";
import type { Call, LoadResult } from "@/bench/load/scenario";
import type { Figures } from "@/bench/results";
import type { Allowance } from "@/bench/schedule";

export interface Candidate {
  name: string;
  ports: readonly number[];
  /** Reads the CPU time that counts as the candidate's. */
  readCpu: CpuReader;
  calls: readonly Call[];
  /** A pattern to collect from every response, and the work after each round, which is not measured. */
  collect?: string;
  afterRound?: (collected: LoadResult["collected"]) => Promise<void>;
}

export interface Pace {
  connections: number;
  seconds?: number;
  /** Requests per round, instead of a time. */
  requests?: number;
}

export const CONNECTIONS = 10;
export const ROUNDS = 3;
/** The length of a round. */
const LONGEST_S = 1;
const SHORTEST_S = 0.25;
/** A round's warm-up relative to its length. The first one also compiles the code. */
const FIRST_WARM_UP = 1.5;
const WARM_UP = 0.4;
const WARM_UP_REQUESTS = 30;

/** Chooses the length of a round so that three rounds of so many candidates fit. */
export function choosePace(
  allowance: Allowance,
  candidates: number,
): Required<Pick<Pace, "connections" | "seconds">> {
  const perCandidate = ROUNDS + FIRST_WARM_UP + (ROUNDS - 1) * WARM_UP;
  const fitting = allowance.left / (candidates * perCandidate);
  const seconds = Math.min(LONGEST_S, Math.max(SHORTEST_S, fitting));
  return { connections: CONNECTIONS, seconds };
}

/** The result of one round of one candidate. */
export interface Round {
  figures: Figures;
  failures: string | null;
  collected: LoadResult["collected"];
}

/** Runs one load and measures its latencies and CPU time. */
export async function measureRound(
  { ports, calls, collect, readCpu }: Pick<Candidate, "ports" | "calls" | "collect" | "readCpu">,
  pace: Pace,
): Promise<Round> {
  const before = readCpu();
  const result = await load({
    ports,
    calls,
    connections: pace.connections,
    ...(pace.seconds === undefined ? {} : { seconds: pace.seconds }),
    ...(pace.requests === undefined ? {} : { requests: pace.requests }),
    ...(collect === undefined ? {} : { collect }),
  });
  const after = readCpu();
  const count = result.latencies.length;
  const isKnown = before !== null && after !== null && count > 0;
  const figures = {
    median: computeQuantile(result.latencies, 0.5),
    p99: computeQuantile(result.latencies, 0.99),
    perSecond: count / result.seconds,
    nodeCpu: isKnown ? ((after.node - before.node) * 1000) / count : null,
    postgresCpu: isKnown ? ((after.postgres - before.postgres) * 1000) / count : null,
  };
  return { figures, failures: describeFailures(result), collected: result.collected };
}

/** Measures the candidates alternately, as often as the time allows. Returns each one's medians. */
export async function measureAlternately(
  candidates: readonly Candidate[],
  allowance: Allowance,
  given?: Pace,
): Promise<Map<string, Measured>> {
  const pace = given ?? choosePace(allowance, candidates.length);
  const rounds = new Map(candidates.map(({ name }): [string, Round[]] => [name, []]));
  for (let round = 0; round < ROUNDS && allowance.allows(round); round += 1) {
    for (const candidate of candidates) {
      const warmUp = toWarmUp(pace, round);
      const { collected } = await measureRound(candidate, warmUp);
      await candidate.afterRound?.(collected);
      const measured = await measureRound(candidate, pace);
      rounds.get(candidate.name)?.push(measured);
      await candidate.afterRound?.(measured.collected);
    }
  }
  return new Map([...rounds].map(([name, measured]) => [name, summarize(measured)]));
}

/** A later round warms up again, because the candidate was idle during the others' rounds. */
function toWarmUp({ connections, seconds }: Pace, round: number): Pace {
  if (seconds === undefined) return { connections, requests: WARM_UP_REQUESTS };
  return { connections, seconds: seconds * (round === 0 ? FIRST_WARM_UP : WARM_UP) };
}

export interface Measured extends Figures {
  failures: string | null;
}

/** Takes the medians of several rounds, so that one disturbed round does not count. */
export function summarize(rounds: readonly Round[]): Measured {
  const computeEach = (pick: (figures: Figures) => number | null) =>
    computeMedian(rounds.map(({ figures }) => pick(figures)).filter((value) => value !== null));
  return {
    median: computeEach((figures) => figures.median) ?? Number.NaN,
    p99: computeEach((figures) => figures.p99),
    perSecond: computeEach((figures) => figures.perSecond),
    nodeCpu: computeEach((figures) => figures.nodeCpu),
    postgresCpu: computeEach((figures) => figures.postgresCpu),
    failures: rounds.find(({ failures }) => failures !== null)?.failures ?? null,
  };
}

/** Summarizes requests that were sent one after another. */
export function summarizeTimes(
  times: readonly number[],
  cpu: Pick<Figures, "nodeCpu" | "postgresCpu">,
): Measured {
  const sorted = Float64Array.from(times).toSorted();
  const total = times.reduce((sum, time) => sum + time, 0);
  return {
    median: computeQuantile(sorted, 0.5),
    p99: computeQuantile(sorted, 0.99),
    perSecond: (times.length * 1000) / total,
    ...cpu,
    failures: null,
  };
}

export function computeMedian(values: readonly number[]): number | null {
  return values.length === 0 ? null : computeQuantile(Float64Array.from(values).toSorted(), 0.5);
}

/** Computes a quantile of ascending values. */
export function computeQuantile(values: Float64Array, part: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}
