import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import type { EventTemplate, MarketTemplate } from "@/lib/exchange/catalogue/template";
import {
  type PricedMarket,
  computeReferencePrice,
  determineWinner,
} from "@/lib/exchange/reference-price";
import { PaperSeed } from "@/lib/exchange/seed";

const RUNS = { numRuns: 300 };
const MICRO = 1_000_000;

const anySeed = fc.oneof(fc.constant("ante"), fc.string({ maxLength: 12 }));
const anyEvent = fc.constantFrom(...EVENT_TEMPLATES);

interface Moment {
  seed: string;
  event: EventTemplate;
  instance: number;
  /** Position in the market's life in billionths, also before and after it. */
  part: number;
}

const anyMoment = (events: fc.Arbitrary<EventTemplate>): fc.Arbitrary<Moment> =>
  fc.record({
    seed: anySeed,
    event: events,
    instance: fc.integer({ min: 0, max: 2_000_000 }),
    part: fc.integer({ min: -100_000_000, max: 1_100_000_000 }),
  });

function priced({ seed, event, instance }: Moment, template: MarketTemplate): PricedMarket {
  const opensAt = event.cadence.phaseMs + instance * event.cadence.everyMs;
  return {
    seed: new PaperSeed(seed),
    event,
    template,
    instance,
    opensAt,
    closesAt: opensAt + event.cadence.lastsMs,
  };
}

function toInstant({ event, instance, part }: Moment): number {
  const { phaseMs, everyMs, lastsMs } = event.cadence;
  return phaseMs + instance * everyMs + Math.floor((lastsMs * part) / 1e9);
}

const computePrice = (moment: Moment, template: MarketTemplate, at = toInstant(moment)) =>
  Number(computeReferencePrice(priced(moment, template), at));

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe("the reference price of any market at any time", () => {
  it("lies between 0.001 and 0.999", () => {
    fc.assert(
      fc.property(anyMoment(anyEvent), (moment) => {
        for (const template of moment.event.markets) {
          const at = computePrice(moment, template);
          expect(at >= 1_000 && at <= 999_000).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it("is a pure function of its arguments", () => {
    fc.assert(
      fc.property(anyMoment(anyEvent), anyMoment(anyEvent), (moment, other) => {
        const read = (of: Moment) => of.event.markets.map((template) => computePrice(of, template));
        const first = read(moment);
        read(other);
        expect(read({ ...moment })).toEqual(first);
      }),
      RUNS,
    );
  });

  it("opens at the probability of its template", () => {
    fc.assert(
      fc.property(anyMoment(anyEvent), (moment) => {
        const at = toInstant({ ...moment, part: 0 });
        const sum = total(moment.event.markets.map((one) => one.startProbability));
        const whole = moment.event.structure === "negRisk" ? sum : 1;
        for (const [index, template] of moment.event.markets.entries()) {
          // The last candidate of an event with one winner gets the remaining probability.
          const isRest =
            moment.event.structure === "negRisk" && index === moment.event.markets.length - 1;
          if (isRest) continue;
          const expected = (template.startProbability / whole) * MICRO;
          expect(Math.abs(computePrice(moment, template, at) - expected)).toBeLessThan(2);
        }
      }),
      RUNS,
    );
  });

  it("moves less than two cents within the finest step of its path", () => {
    fc.assert(
      fc.property(anyMoment(anyEvent), (moment) => {
        const part = Math.min(moment.part, 990_000_000);
        const at = toInstant({ ...moment, part });
        const step = moment.event.cadence.lastsMs / 2 ** 23;
        for (const template of moment.event.markets) {
          const move =
            computePrice(moment, template, at + step) - computePrice(moment, template, at);
          expect(Math.abs(move)).toBeLessThan(20_000);
        }
      }),
      RUNS,
    );
  });
});

describe("an event with exactly one winner", () => {
  const negRisk = anyMoment(
    fc.constantFrom(...EVENT_TEMPLATES.filter(({ structure }) => structure === "negRisk")),
  );

  it("has prices that sum to $1, except for rounding and the price bounds", () => {
    fc.assert(
      fc.property(negRisk, (moment) => {
        const prices = moment.event.markets.map((template) => computePrice(moment, template));
        const bounded = prices.filter((at) => at === 1_000 || at === 999_000).length;
        const deviation = Math.abs(total(prices) - MICRO);
        expect(deviation).toBeLessThanOrEqual(prices.length + bounded * 1_000);
      }),
      RUNS,
    );
  });

  it("has exactly one market whose first outcome wins", () => {
    fc.assert(
      fc.property(negRisk, (moment) => {
        const winners = moment.event.markets.map((one) => determineWinner(priced(moment, one)));
        expect(winners.filter((winner) => winner === 0)).toEqual([0]);
      }),
      RUNS,
    );
  });
});

describe("a ladder of independent markets", () => {
  const ladder = anyMoment(
    fc.constantFrom(
      ...EVENT_TEMPLATES.filter((e) => e.structure === "independent" && e.markets.length > 1),
    ),
  );
  const likeliestFirst = ({ event }: Moment) =>
    [...event.markets].toSorted((a, b) => b.startProbability - a.startProbability);

  it("never has a higher price for the less likely of two markets", () => {
    fc.assert(
      fc.property(ladder, (moment) => {
        const prices = likeliestFirst(moment).map((template) => computePrice(moment, template));
        expect(prices).toEqual([...prices].toSorted((a, b) => b - a));
      }),
      RUNS,
    );
  });

  it("never resolves the less likely market to a win and the likelier one to a loss", () => {
    fc.assert(
      fc.property(ladder, (moment) => {
        const losses = likeliestFirst(moment).map((one) => determineWinner(priced(moment, one)));
        expect(losses).toEqual([...losses].toSorted((a, b) => a - b));
      }),
      RUNS,
    );
  });
});
