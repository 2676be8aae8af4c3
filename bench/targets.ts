// The targets of rows, and how candidates are compared with their anchor.
import type { Measured } from "@/bench/measure";
import { report, type Row } from "@/bench/results";

/** A row's target, which may refer to its anchor. */
export interface Target {
  text: string;
  isMet: (own: Measured, anchor: Measured | undefined) => boolean;
}

/** Computes the ratio of the requests per second; null if unknown. */
function computeRatio(own: Measured, anchor: Measured | undefined): number | null {
  return own.perSecond === null || !anchor?.perSecond ? null : own.perSecond / anchor.perSecond;
}

/** Computes the CPU time of Node and Postgres together; null if unknown. */
function computeCpu({ nodeCpu, postgresCpu }: Measured): number | null {
  return nodeCpu === null ? null : nodeCpu + (postgresCpu ?? 0);
}

/** Makes the target of at least so many times the anchor's requests per second. */
export const makeAtLeast = (times: number): Target => ({
  text: `≥ ${times} ×`,
  isMet: (own, anchor) => (computeRatio(own, anchor) ?? 0) >= times,
});

/** Makes the target of a median of at most so many times the anchor's. */
export const makeMedianAtMost = (times: number): Target => ({
  text: `≤ ${times} × the time`,
  isMet: (own, anchor) => anchor !== undefined && own.median <= times * anchor.median,
});

/** Makes the target of CPU time of at most so many times the anchor's. */
export const makeCpuAtMost = (times: number): Target => ({
  text: `CPU ≤ ${times} ×`,
  isMet: (own, anchor) => {
    const [mine, theirs] = [computeCpu(own), anchor ? computeCpu(anchor) : null];
    return mine !== null && theirs !== null && mine <= times * theirs;
  },
});

/** Makes the target of a 99th percentile of at most so many times the anchor's. */
export const makeP99AtMost = (times: number): Target => ({
  text: `p99 ≤ ${times} ×`,
  isMet: ({ p99 }, anchor) =>
    p99 !== null && typeof anchor?.p99 === "number" && p99 <= times * anchor.p99,
});

/** Combines targets that must all be met. */
export const makeAll = (...targets: readonly Target[]): Target => ({
  text: targets.map(({ text }) => text).join(", "),
  isMet: (own, anchor) => targets.every(({ isMet }) => isMet(own, anchor)),
});

/**
 * Reports all candidates of a row.
 *
 * @param anchor the candidate that the others are compared with, unless `otherAnchors` names another.
 */
export function reportAll(
  name: string,
  measured: ReadonlyMap<string, Measured>,
  anchor: string,
  targets: Readonly<Record<string, Target>> = {},
  otherAnchors: Readonly<Record<string, string>> = {},
): void {
  for (const [candidate, own] of measured) {
    const comparedWith = otherAnchors[candidate] ?? anchor;
    reportOne(
      { name, candidate, anchor: comparedWith },
      own,
      measured.get(comparedWith),
      targets[candidate],
    );
  }
}

/** Reports one candidate. A row with a failed request misses its target, because it did less work. */
export function reportOne(
  about: Pick<Row, "name" | "candidate" | "anchor">,
  own: Measured,
  anchor: Measured | undefined,
  target: Target | undefined,
): void {
  const { failures, ...figures } = own;
  const row: Row = { ...about, ...figures, ratio: computeRatio(own, anchor) };
  if (target) {
    row.target = target.text;
    row.met = failures === null && target.isMet(own, anchor);
  }
  if (failures !== null) row.note = failures;
  report(row);
}

/** The most that a cost may grow. */
const MAX_COST_RATIO = 1.2;

/** Makes the target that the cost stays nearly that of the first row. */
export const makeFlatTarget = (first: string): Target => ({
  text: `cost ≤ ${MAX_COST_RATIO} × that of ${first}`,
  isMet: (own, anchor) => (computeRatio(own, anchor) ?? 0) >= 1 / MAX_COST_RATIO,
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
    reportOne({ name, candidate, anchor: first }, own, measured.get(first), held);
  }
}
