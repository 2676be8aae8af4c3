// The time of a run: how much every part gets. No part is left out for lack of time.

/** The time of a part or row. It decides how often candidates are measured, never whether. */
export class Allowance {
  readonly #startedAt = performance.now();

  constructor(readonly seconds: number) {}

  get used(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  get left(): number {
    return Math.max(0, this.seconds - this.used);
  }

  /** Returns an equal share of the time left for each of so many rows. */
  share(rows: number): Allowance {
    return new Allowance(this.left / rows);
  }

  /** Whether another round fits if it takes as long as the ones before. */
  allows(roundsDone: number): boolean {
    return roundsDone === 0 || this.left >= this.used / roundsDone;
  }
}

export interface Part {
  name: string;
  /** The part of the time that it gets, relative to the others. */
  weight: number;
  /** Opens what the part measures, before its time begins. */
  open: () => Promise<unknown>;
  measure: (allowance: Allowance) => Promise<void>;
}

/**
 * Runs the parts in their order. Each gets its share of the time that is left, so a slow part takes from
 * the later ones, which then measure fewer and shorter rounds.
 *
 * @param run opens and measures a part. It computes the part's time once it is open.
 */
export async function runParts(
  parts: readonly Part[],
  total: Allowance,
  run: (part: Part, computeAllowance: () => Allowance) => Promise<void>,
): Promise<void> {
  for (const [index, part] of parts.entries()) {
    const weights = parts.slice(index).reduce((sum, { weight }) => sum + weight, 0);
    await run(part, () => new Allowance((total.left * part.weight) / weights));
  }
}
