import { describe, expect, it } from "vitest";
import type { HouseLevel } from "@/lib/domain/matching";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import {
  computeHouseLevels,
  LIQUIDITY_EPOCH_MS,
  computeLiquidityEpoch,
} from "@/lib/exchange/simulated-house-quotes";
import { buildMarket, type PaperMarket } from "@/lib/exchange/paper-market";
import { computeReferencePrice } from "@/lib/exchange/reference-price";
import { PaperSeed } from "@/lib/exchange/seed";

/** One market of every event, on a whole minute in the middle of its life. */
const MARKETS = EVENT_TEMPLATES.flatMap((event) => {
  const [template] = event.markets;
  if (!template) return [];
  const market = buildMarket(new PaperSeed("liquidity"), event, template, 100);
  const half = (market.opensAt + market.closesAt) / 2;
  return { market, at: Math.floor(half / LIQUIDITY_EPOCH_MS) * LIQUIDITY_EPOCH_MS };
});

const side = (levels: readonly HouseLevel[], wanted: HouseLevel["side"]) =>
  levels.filter((level) => level.side === wanted);
const totalSize = (levels: readonly HouseLevel[]) =>
  levels.reduce((total, { size }) => total + Number(size) / 1e6, 0);

function first(wanted: (market: PaperMarket) => boolean) {
  const found = MARKETS.find(({ market }) => wanted(market));
  if (!found) throw new Error("the catalogue has such a market");
  return found;
}

describe("the house ladder", () => {
  it("exists from the opening until the last millisecond, and not at the close", () => {
    for (const { market } of MARKETS) {
      expect(computeHouseLevels(market, market.opensAt - 1)).toEqual([]);
      expect(computeHouseLevels(market, market.opensAt)).not.toEqual([]);
      expect(computeHouseLevels(market, market.closesAt - 1)).not.toEqual([]);
      expect(computeHouseLevels(market, market.closesAt)).toEqual([]);
    }
  });

  it("keeps its prices and sizes for five seconds and moves with the reference price then", () => {
    const { market, at } = first(({ opensAt, closesAt }) => closesAt - opensAt <= 3_600_000);
    expect(computeHouseLevels(market, at + 4_999)).toEqual(computeHouseLevels(market, at));
    const ladders = Array.from({ length: 60 }, (_, step) =>
      computeHouseLevels(market, at + step * 5_000),
    );
    const prices = new Set(ladders.map((levels) => levels.map(({ price }) => price).join()));
    expect(prices.size).toBeGreaterThan(1);
  });

  it("draws new sizes each minute", () => {
    const { market, at } = first(({ event }) => event.depth === "deep");
    expect([computeLiquidityEpoch(at + 59_999), computeLiquidityEpoch(at + 60_000)]).toEqual([
      computeLiquidityEpoch(at),
      computeLiquidityEpoch(at) + 1,
    ]);
    const sizes = (levels: readonly HouseLevel[]) => levels.map(({ size }) => size);
    expect(sizes(computeHouseLevels(market, at + 60_000))).not.toEqual(
      sizes(computeHouseLevels(market, at)),
    );
  });

  it("quotes within the half spread of its depth and a tick of the reference price", () => {
    const halves = { thin: 15_000n, normal: 8_000n, deep: 4_000n };
    for (const { market, at } of MARKETS) {
      const reference = computeReferencePrice(market, at);
      const reach = halves[market.event.depth] + market.tick;
      const levels = computeHouseLevels(market, at);
      const [bid] = side(levels, "bid");
      const [ask] = side(levels, "ask");
      if (bid) expect(reference - bid.price <= reach).toBe(true);
      if (ask) expect(ask.price - reference <= reach).toBe(true);
    }
  });

  it("has more size in a deep book than in a normal one, and more there than in a thin one", () => {
    const mean = (depth: string) => {
      const ladders = MARKETS.filter(({ market }) => market.event.depth === depth).map(
        ({ market, at }) => computeHouseLevels(market, at),
      );
      const levels = ladders.flat();
      return totalSize(levels) / levels.length;
    };
    expect(mean("deep")).toBeGreaterThan(2 * mean("normal"));
    expect(mean("normal")).toBeGreaterThan(2 * mean("thin"));
  });

  it("quotes one side only where the grid has no price left on the other", () => {
    for (const { market, at } of MARKETS) {
      const reference = computeReferencePrice(market, at);
      const levels = computeHouseLevels(market, at);
      if (side(levels, "bid").length === 0) expect(reference <= 15_000n + market.tick).toBe(true);
      if (side(levels, "ask").length === 0) {
        expect(reference >= 985_000n - market.tick).toBe(true);
      }
    }
  });

  it("differs between two markets that share a reference price, by their id", () => {
    const { market, at } = first(({ event }) => event.depth === "normal");
    const sizes = (one: PaperMarket) => computeHouseLevels(one, at).map(({ size }) => size);
    expect(sizes({ ...market, id: "0xother" })).not.toEqual(sizes(market));
  });
});
