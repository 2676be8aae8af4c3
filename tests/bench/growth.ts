// Rows that show a cost growing, each against the first and smallest.
import { type Measured, reportOne, type Target, timesAsMany } from "@/tests/bench/measure";

/** A cost may grow by a fifth. */
const FLAT = 1.2;

export const flatFrom = (first: string): Target => ({
  text: `cost ≤ ${FLAT} × that of ${first}`,
  isMet: (own, base) => (timesAsMany(own, base) ?? 0) >= 1 / FLAT,
});

/** Reports sizes in the order given; `target` holds all but the first. */
export function reportGrowth(
  name: string,
  measured: ReadonlyMap<string, Measured>,
  target?: (first: string) => Target,
): void {
  const [first] = measured.keys();
  if (first === undefined) return;
  for (const [candidate, own] of measured) {
    const isHeld = candidate !== first && target !== undefined;
    const held = isHeld ? target(first) : undefined;
    reportOne({ name, candidate }, own, measured.get(first), held);
  }
}
