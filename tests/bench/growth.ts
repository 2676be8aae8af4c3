// Rows that show a cost growing, each against the first and smallest.
import { type Measured, reportOne, type Target, timesAsMany } from "@/tests/bench/measure";

/** A cost may grow by a fifth. */
const FLAT = 1.2;

export const flatFrom = (first: string): Target => ({
  text: `cost ≤ ${FLAT} × that of ${first}`,
  isMet: (own, base) => (timesAsMany(own, base) ?? 0) >= 1 / FLAT,
});

/** Says of a size what it should have been; nothing when it was reached. */
export const shortfallOf = (reached: number, wanted: number): string | null =>
  reached >= wanted ? null : `${wanted.toLocaleString("en-US")} did not fit into the time`;

/**
 * Reports sizes in the order given; `target` holds all but the first. Sizes that fell short, for
 * the reason given, meet no target.
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
