import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quote } from "@/lib/domain/mark-price";
import type { HouseLevel } from "@/lib/domain/matching";
import { isOnGrid } from "@/lib/domain/tick-grid";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import { computeHouseLevels, computeHouseMark } from "@/lib/exchange/simulated-house-quotes";
import { buildMarket, type PaperMarket } from "@/lib/exchange/paper-market";
import { computeReferencePrice } from "@/lib/exchange/reference-price";
import { PaperSeed } from "@/lib/exchange/seed";

const RUNS = { numRuns: 250 };
const WINDOW_MS = 5_000;

/** Any market of the catalogue at any instant around its life. */
const anyLadder = fc
  .record({
    seed: fc.constantFrom(new PaperSeed("ante"), new PaperSeed("other")),
    event: fc.constantFrom(...EVENT_TEMPLATES),
    pick: fc.nat(99),
    instance: fc.integer({ min: 0, max: 200_000 }),
    part: fc.integer({ min: -50_000_000, max: 1_050_000_000 }),
  })
  .map(({ seed, event, pick, instance, part }) => {
    const template = event.markets[pick % event.markets.length];
    if (!template) throw new Error("an event has markets");
    const market = buildMarket(seed, event, template, instance);
    const at = market.opensAt + Math.floor(((market.closesAt - market.opensAt) * part) / 1e9);
    return { market, at };
  });

function checkLadders(
  check: (levels: readonly HouseLevel[], market: PaperMarket, at: number) => void,
) {
  fc.assert(
    fc.property(anyLadder, ({ market, at }) => check(computeHouseLevels(market, at), market, at)),
    RUNS,
  );
}

const listPrices = (levels: readonly HouseLevel[], side: HouseLevel["side"]) =>
  levels.filter((level) => level.side === side).map((level) => level.price);

describe("the house ladder of any market at any time", () => {
  it("quotes positive whole shares on the market's grid, each price once", () => {
    checkLadders((levels, market) => {
      for (const level of levels) {
        expect(isOnGrid(level.price, market.tick)).toBe(true);
        expect(level.size >= 5_000_000n && level.size % 1_000_000n === 0n).toBe(true);
      }
      expect(new Set(levels.map((level) => level.price)).size).toBe(levels.length);
    });
  });

  it("bids below the reference price and asks above it, best first", () => {
    checkLadders((levels, market, at) => {
      const reference = computeReferencePrice(market, Math.floor(at / WINDOW_MS) * WINDOW_MS);
      const [bids, asks] = [listPrices(levels, "bid"), listPrices(levels, "ask")] as const;
      expect(bids.every((bid) => bid < reference)).toBe(true);
      expect(asks.every((ask) => ask > reference)).toBe(true);
      expect(bids).toEqual([...bids].toSorted((a, b) => Number(b - a)));
      expect(asks).toEqual([...asks].toSorted((a, b) => Number(a - b)));
    });
  });

  it("is empty outside the market's life and quotes at least one side within it", () => {
    checkLadders((levels, market, at) => {
      const isAlive = at >= market.opensAt && at < market.closesAt;
      expect(levels.length > 0).toBe(isAlive);
    });
  });

  it("stays the same throughout five seconds, and computes the same anywhere", () => {
    checkLadders((levels, market, at) => {
      const again = buildMarket(market.seed, market.event, market.template, market.instance);
      const start = Math.max(market.opensAt, Math.floor(at / WINDOW_MS) * WINDOW_MS);
      const isWithin = at >= market.opensAt && at < market.closesAt;
      expect(computeHouseLevels(again, isWithin ? start : at)).toEqual(levels);
    });
  });

  it("is marked at its middle, and at the reference price where it has one side or none", () => {
    checkLadders((levels, market, at) => {
      if (at < market.opensAt || at > market.closesAt) return;
      const [bid = null] = listPrices(levels, "bid");
      const [ask = null] = listPrices(levels, "ask");
      const { mark } = quote({ bid, ask }, null, computeReferencePrice(market, at));
      expect(computeHouseMark(market, at)).toBe(mark);
    });
  });
});
