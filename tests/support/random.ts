/** A small seeded generator (mulberry32): the same seed makes the same run. */
export class Random {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const index = this.integer(0, list.length - 1);
    if (index >= list.length || index < 0) throw new Error("nothing to pick from");
    return list[index] as T;
  }

  shuffle<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, rank: this.next() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ value }) => value);
  }

  /** A generator of its own for one of several clients that run side by side. */
  fork(index: number): Random {
    return new Random(this.seed ^ Math.imul(index + 1, 0x9e3779b1));
  }
}

/** The run's seed: PRODUCT_SEED repeats a run, otherwise every run differs. */
export function readSeed(): number {
  const given = Number(process.env["PRODUCT_SEED"] ?? Number.NaN);
  return Number.isInteger(given) ? given : Math.floor(Math.random() * 2_147_483_647);
}
