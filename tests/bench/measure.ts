// Measures candidates side by side: A B A B, so that what else the machine does hits all alike.
import { cpuSeconds } from "@/tests/bench/costs";
import { failuresOf, load } from "@/tests/bench/load/load";
import type { Call, LoadResult } from "@/tests/bench/load/scenario";
import { type Figures, report, type Row } from "@/tests/bench/results";

export interface Candidate {
  name: string;
  ports: readonly number[];
  /** Whose processor time a request costs. */
  pids: readonly number[];
  calls: readonly Call[];
  /** What every answer is searched for, and what is then done, outside the measurement. */
  collect?: string;
  afterRound?: (collected: LoadResult["collected"]) => Promise<void>;
}

export interface Pace {
  rounds: number;
  connections: number;
  seconds?: number;
  /** Instead of a time: so many requests a round. */
  requests?: number;
}

export const CONNECTIONS = 10;
export const QUICK: Pace = { rounds: 3, connections: CONNECTIONS, seconds: 1 };
/** Before the first round, so that what is run is compiled. */
const WARM_UP_S = 1.5;
/** Before each round: while the others were measured, this one went cold. */
const WARM_AGAIN_S = 0.4;
const WARM_UP_REQUESTS = 30;

/** One round of one candidate, as the machine saw it. */
export interface Round {
  figures: Figures;
  failures: string | null;
  collected: LoadResult["collected"];
}

/** Runs one load and counts what it cost. */
export async function measureRound(candidate: Candidate, pace: Pace): Promise<Round> {
  const { ports, calls, collect, pids } = candidate;
  const before = cpuSeconds(pids);
  const result = await load({
    ports,
    calls,
    connections: pace.connections,
    ...(pace.seconds === undefined ? {} : { seconds: pace.seconds }),
    ...(pace.requests === undefined ? {} : { requests: pace.requests }),
    ...(collect === undefined ? {} : { collect }),
  });
  const after = cpuSeconds(pids);
  const count = result.latencies.length;
  const cpu = before === null || after === null ? null : ((after - before) * 1000) / count;
  const figures = {
    median: quantile(result.latencies, 0.5),
    p99: quantile(result.latencies, 0.99),
    perSecond: count / result.seconds,
    cpu: count === 0 ? null : cpu,
  };
  return { figures, failures: failuresOf(result), collected: result.collected };
}

/** Every candidate's figures: the medians of its rounds. */
export async function interleave(
  candidates: readonly Candidate[],
  pace: Pace,
): Promise<Map<string, Measured>> {
  const rounds = new Map(candidates.map(({ name }): [string, Round[]] => [name, []]));
  const isTimed = pace.requests === undefined;
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const candidate of candidates) {
      const seconds = round === 0 ? WARM_UP_S : WARM_AGAIN_S;
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

/** The medians of several rounds: one that something else disturbed does not count. */
export function summarize(rounds: readonly Round[]): Measured {
  const each = (pick: (figures: Figures) => number | null) =>
    medianOf(rounds.map(({ figures }) => pick(figures)).filter((value) => value !== null));
  return {
    median: each((figures) => figures.median) ?? Number.NaN,
    p99: each((figures) => figures.p99),
    perSecond: each((figures) => figures.perSecond),
    cpu: each((figures) => figures.cpu),
    failures: rounds.find(({ failures }) => failures !== null)?.failures ?? null,
  };
}

/** What a row is held to, against its base. */
export interface Target {
  text: string;
  isMet: (own: Measured, base: Measured | undefined) => boolean;
}

/** The requests per second of one against another. */
export function timesAsMany(own: Measured, base: Measured | undefined): number | null {
  return own.perSecond === null || !base?.perSecond ? null : own.perSecond / base.perSecond;
}

/** Reports all candidates of a row; `base` names the one that the others are compared with. */
export function reportAll(
  name: string,
  measured: ReadonlyMap<string, Measured>,
  base: string,
  targets: Readonly<Record<string, Target>> = {},
): void {
  for (const [candidate, own] of measured) {
    const target = targets[candidate];
    reportOne({ name, candidate }, own, measured.get(base), target);
  }
}

/** A row with a failed request meets no target: it did not do the same work. */
export function reportOne(
  about: { name: string; candidate: string },
  own: Measured,
  base: Measured | undefined,
  target: Target | undefined,
): void {
  const { failures, ...figures } = own;
  const row: Row = { ...about, ...figures, ratio: timesAsMany(own, base) };
  if (target) {
    row.target = target.text;
    row.met = failures === null && target.isMet(own, base);
  }
  if (failures !== null) row.note = failures;
  report(row);
}

export function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : quantile(Float64Array.from(values).toSorted(), 0.5);
}

/** A quantile of ascending values. */
export function quantile(values: Float64Array, part: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}
