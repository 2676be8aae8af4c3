import { describe, expect, it } from "vitest";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import type { EventTemplate, MarketTemplate } from "@/lib/exchange/catalogue/template";
import {
  type PricedMarket,
  computeReferencePrice,
  determineWinner,
} from "@/lib/exchange/reference-price";
import { PaperSeed } from "@/lib/exchange/seed";

const SEED = "calibration";
const seeds = new Map<string, PaperSeed>();
const getSeed = (text: string) => seeds.get(text) ?? makeSeed(text);

function makeSeed(text: string): PaperSeed {
  const seed = new PaperSeed(text);
  seeds.set(text, seed);
  return seed;
}
const INSTANCES = 2_000;

function priced(
  event: EventTemplate,
  template: MarketTemplate,
  instance: number,
  seed = SEED,
): PricedMarket {
  const opensAt = event.cadence.phaseMs + instance * event.cadence.everyMs;
  return {
    seed: getSeed(seed),
    event,
    template,
    instance,
    opensAt,
    closesAt: opensAt + event.cadence.lastsMs,
  };
}

/** Counts the wins of a market's first outcome over many instances. */
function wins(event: EventTemplate, template: MarketTemplate, seed = SEED): number {
  let count = 0;
  for (let instance = 0; instance < INSTANCES; instance += 1) {
    if (determineWinner(priced(event, template, instance, seed)) === 0) count += 1;
  }
  return count;
}

/** Returns the deviation of the wins from their expectation in standard deviations. */
function surprise(count: number, trials: number, probability: number): number {
  const deviation = Math.sqrt(trials * probability * (1 - probability));
  return Math.abs(count - trials * probability) / deviation;
}

const MARKETS = EVENT_TEMPLATES.flatMap((event) =>
  event.markets.map((template) => ({ event, template })),
);

describe("determineWinner", () => {
  it(`over ${INSTANCES} instances, no market wins unlike its opening probability (4 sigma)`, () => {
    const unlikely = MARKETS.flatMap(({ event, template }) => {
      const count = wins(event, template);
      const sigmas = surprise(count, INSTANCES, template.startProbability);
      return sigmas > 4 ? [{ event: event.id, market: template.id, count, sigmas }] : [];
    });
    expect(unlikely).toEqual([]);
  });

  it("over all markets of a structure, the number of wins matches their probabilities", () => {
    for (const structure of ["independent", "negRisk"] as const) {
      // One market per event, because the markets of one event are correlated.
      const first = MARKETS.filter(
        ({ event, template }) => event.structure === structure && event.markets[0] === template,
      );
      const moments = first.map(({ template: { startProbability: p } }) => ({ p, q: 1 - p }));
      const expected = moments.reduce((total, { p }) => total + p, 0) * INSTANCES;
      const variance = moments.reduce((total, { p, q }) => total + p * q, 0) * INSTANCES;
      const count = first.reduce((total, one) => total + wins(one.event, one.template, "all"), 0);
      expect(Math.abs(count - expected) / Math.sqrt(variance)).toBeLessThan(4);
    }
  });

  it("is independent from one instance to the next, and between seeds", () => {
    const [even] = MARKETS.filter(({ template }) => template.startProbability === 0.5);
    expect(even).toBeDefined();
    if (!even) return;
    const outcomes = (seed: string, from: number) =>
      Array.from({ length: INSTANCES }, (_, index) =>
        determineWinner(priced(even.event, even.template, from + index, seed)),
      );
    const base = outcomes("a", 0);
    for (const other of [outcomes("a", 1), outcomes("b", 0)]) {
      const same = base.filter((winner, index) => winner === other[index]).length;
      expect(surprise(same, INSTANCES, 0.5)).toBeLessThan(4);
    }
  });
});

describe("computeReferencePrice", () => {
  const fewInstances = MARKETS.flatMap(({ event, template }) =>
    Array.from({ length: 20 }, (_, instance) => priced(event, template, instance)),
  );

  it("is fair at every stage: of prices near a value, that share of markets wins (4 sigma)", () => {
    for (const part of [0.25, 0.5, 0.75, 0.95]) {
      const buckets = new Map<number, { wins: number; trials: number; expected: number }>();
      for (const { event, template } of MARKETS) {
        for (let instance = 0; instance < 60; instance += 1) {
          const market = priced(event, template, instance);
          const at = market.opensAt + (market.closesAt - market.opensAt) * part;
          const odds = Number(computeReferencePrice(market, at)) / 1e6;
          const key = Math.floor(odds * 10);
          const bucket = buckets.get(key) ?? { wins: 0, trials: 0, expected: 0 };
          bucket.trials += 1;
          bucket.expected += odds;
          if (determineWinner(market) === 0) bucket.wins += 1;
          buckets.set(key, bucket);
        }
      }
      for (const { wins: won, trials, expected } of buckets.values()) {
        // Markets of one event are correlated: three of them count as one.
        expect(surprise(won / 3, trials / 3, expected / trials)).toBeLessThan(4);
      }
    }
  });

  it("has moved to the winning outcome at the close in 99 of 100 markets", () => {
    const astray = fewInstances.filter((market) => {
      const isAbove = computeReferencePrice(market, market.closesAt) > 500_000n;
      return isAbove !== (determineWinner(market) === 0);
    });
    expect(astray.length).toBeLessThan(fewInstances.length / 100);
  });

  it("opens on average within two cents of the template's probability", () => {
    const markets = fewInstances.filter(({ event }) => event.structure === "independent");
    const errors = markets.map(
      (market) =>
        Number(computeReferencePrice(market, market.opensAt)) / 1e6 -
        market.template.startProbability,
    );
    const mean = errors.reduce((total, error) => total + error, 0) / errors.length;
    expect(Math.abs(mean)).toBeLessThan(0.02);
  });

  it("changes between two instants of a market's life", () => {
    const still = fewInstances.filter(({ opensAt, closesAt, ...market }) => {
      const at = (part: number) =>
        computeReferencePrice(
          { opensAt, closesAt, ...market },
          opensAt + (closesAt - opensAt) * part,
        );
      return at(0.2) === at(0.3) && at(0.3) === at(0.4);
    });
    expect(still).toEqual([]);
  });

  it("depends on the seed, the event's instance and the market", () => {
    const [one, two] = MARKETS.filter(({ event }) => event.structure === "negRisk");
    if (!one || !two) throw new Error("the catalogue has a neg-risk event of two markets");
    expect(two.event).toBe(one.event);
    const half = (market: PricedMarket) =>
      computeReferencePrice(market, (market.opensAt + market.closesAt) / 2);
    const base = half(priced(one.event, one.template, 7));
    expect(half(priced(one.event, one.template, 7))).toBe(base);
    expect(half(priced(one.event, one.template, 7, "other"))).not.toBe(base);
    expect(half(priced(one.event, one.template, 8))).not.toBe(base);
    expect(half(priced(two.event, two.template, 7))).not.toBe(base);
  });

  it("keeps its bounds a year before a market opens and a year after it closed", () => {
    const year = 365 * 86_400_000;
    for (const market of fewInstances.slice(0, 400)) {
      for (const at of [market.opensAt - year, market.closesAt + year]) {
        const reference = computeReferencePrice(market, at);
        expect(reference >= 1_000n && reference <= 999_000n).toBe(true);
      }
    }
  });
});
