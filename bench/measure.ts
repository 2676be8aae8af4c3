// Measures candidates alternately (A B A B), so that other load on the machine affects all alike.
import { readCpuSeconds } from "@/bench/costs";
import { describeFailures, load } from "@/bench/load/load";
import type { Call, LoadResult } from "@/bench/load/scenario";
import { type Figures, report, type Row } from "@/bench/results";

export interface Candidate {
  name: string;
  ports: readonly number[];
  /** The processes whose CPU time is counted. */
  pids: readonly number[];
  calls: readonly Call[];
  /** A pattern to collect from every response, and the work after each round, which is not measured. */
  collect?: string;
  afterRound?: (collected: LoadResult["collected"]) => Promise<void>;
}

export interface Pace {
  rounds: number;
  connections: number;
  seconds?: number;
  /** Requests per round, instead of a time. */
  requests?: number;
}

export const CONNECTIONS = 10;
export const QUICK: Pace = { rounds: 3, connections: CONNECTIONS, seconds: 1 };
/** Before the first round, so that the code is compiled. */
const WARM_UP_S = 1.5;
/** Before each later round, because the candidate was idle during the others' rounds. */
const REWARM_S = 0.4;
const WARM_UP_REQUESTS = 30;

/** The result of one round of one candidate. */
export interface Round {
  figures: Figures;
  failures: string | null;
  collected: LoadResult["collected"];
}

/** Runs one load and measures its latencies and CPU time. */
export async function measureRound(candidate: Candidate, pace: Pace): Promise<Round> {
  const { ports, calls, collect, pids } = candidate;
  const before = readCpuSeconds(pids);
  const result = await load({
    ports,
    calls,
    connections: pace.connections,
    ...(pace.seconds === undefined ? {} : { seconds: pace.seconds }),
    ...(pace.requests === undefined ? {} : { requests: pace.requests }),
    ...(collect === undefined ? {} : { collect }),
  });
  const after = readCpuSeconds(pids);
  const count = result.latencies.length;
  const cpu = before === null || after === null ? null : ((after - before) * 1000) / count;
  const figures = {
    median: computeQuantile(result.latencies, 0.5),
    p99: computeQuantile(result.latencies, 0.99),
    perSecond: count / result.seconds,
    cpu: count === 0 ? null : cpu,
  };
  return { figures, failures: describeFailures(result), collected: result.collected };
}

/** Measures the candidates alternately. Returns each one's medians over the rounds. */
export async function measureAlternately(
  candidates: readonly Candidate[],
  pace: Pace,
): Promise<Map<string, Measured>> {
  const rounds = new Map(candidates.map(({ name }): [string, Round[]] => [name, []]));
  const isTimed = pace.requests === undefined;
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const candidate of candidates) {
      const seconds = round === 0 ? WARM_UP_S : REWARM_S;
      const warmUp = isTimed ? { ...pace, seconds } : { ...pace, requests: WARM_UP_REQUESTS };
      const { collected } = await measureRound(candidate, warmUp);
      await candidate.afterRound?.(collected);
      const measured = await measureRound(candidate, pace);
      rounds.get(candidate.name)?.push(measured);
      await candidate.afterRound?.(measured.collected);
    }
  }
  return new Map([...rounds].map(([name, measured]) => [name, summarize(measured)]));
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
    cpu: computeEach((figures) => figures.cpu),
    failures: rounds.find(({ failures }) => failures !== null)?.failures ?? null,
  };
}

/** A row's target, which may refer to its base. */
export interface Target {
  text: string;
  isMet: (own: Measured, base: Measured | undefined) => boolean;
}

/** Computes the ratio of the requests per second; null if unknown. */
export function computeRatio(own: Measured, base: Measured | undefined): number | null {
  return own.perSecond === null || !base?.perSecond ? null : own.perSecond / base.perSecond;
}

/**
 * Reports all candidates of a row.
 *
 * @param base the candidate that the others are compared with, unless `otherBases` names another.
 */
export function reportAll(
  name: string,
  measured: ReadonlyMap<string, Measured>,
  base: string,
  targets: Readonly<Record<string, Target>> = {},
  otherBases: Readonly<Record<string, string>> = {},
): void {
  for (const [candidate, own] of measured) {
    const compared = measured.get(otherBases[candidate] ?? base);
    reportOne({ name, candidate }, own, compared, targets[candidate]);
  }
}

/** Reports one candidate. A row with a failed request misses its target, because it did less work. */
export function reportOne(
  about: { name: string; candidate: string },
  own: Measured,
  base: Measured | undefined,
  target: Target | undefined,
): void {
  const { failures, ...figures } = own;
  const row: Row = { ...about, ...figures, ratio: computeRatio(own, base) };
  if (target) {
    row.target = target.text;
    row.met = failures === null && target.isMet(own, base);
  }
  if (failures !== null) row.note = failures;
  report(row);
}

export function computeMedian(values: readonly number[]): number | null {
  return values.length === 0 ? null : computeQuantile(Float64Array.from(values).toSorted(), 0.5);
}

/** Computes a quantile of ascending values. */
export function computeQuantile(values: Float64Array, part: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}

/** The most that a cost may grow. */
const MAX_COST_RATIO = 1.2;

/** Makes the target that the cost stays nearly that of the first row. */
export const makeFlatTarget = (first: string): Target => ({
  text: `cost ≤ ${MAX_COST_RATIO} × that of ${first}`,
  isMet: (own, base) => (computeRatio(own, base) ?? 0) >= 1 / MAX_COST_RATIO,
});

/** Describes a size that was not reached in time; null if it was. */
export const describeShortfall = (reached: number, wanted: number): string | null =>
  reached >= wanted ? null : `there was no time for ${wanted.toLocaleString("en-US")}`;

/**
 * Reports rows of growing size, each compared with the first. `target` applies to all but the first.
 * Rows with a shortfall miss their target.
 */
export function reportGrowth(
  name: string,
  measured: ReadonlyMap<string, Measured>,
  target?: (first: string) => Target,
  shortfalls: ReadonlyMap<string, string | null> = new Map(),
): void {
  const [first] = measured.keys();
  if (first === undefined) return;
  for (const [candidate, figures] of measured) {
    const own = { ...figures, failures: figures.failures ?? shortfalls.get(candidate) ?? null };
    const isHeld = candidate !== first && target !== undefined;
    const held = isHeld ? target(first) : undefined;
    reportOne({ name, candidate }, own, measured.get(first), held);
  }
}
