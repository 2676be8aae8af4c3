import "server-only";
import { computeMidpoint } from "@/lib/domain/mark-price";
import type { BookSide, HouseLevel } from "@/lib/domain/matching";
import { ceilToGrid, floorToGrid } from "@/lib/domain/tick-grid";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { hashText, uniform } from "@/lib/exchange/noise";
import { computeReferencePrice } from "@/lib/exchange/reference-price";
import { ONE, type Price, price, shares } from "@/lib/units";

/** House quotes move every few seconds and are replenished every minute. */
const REPRICE_MS = 5_000;
export const LIQUIDITY_EPOCH_MS = 60_000;

const LEVELS = 18;
const HALF_SPREAD = { thin: 15_000n, normal: 8_000n, deep: 4_000n } as const;
const BASE_SHARES = { thin: 60, normal: 320, deep: 1_600 } as const;
/** Distance between two levels, before rounding to the tick. */
const LEVEL_GAP = 5_000n;
const GROWTH = 0.3;
const MICRO_SHARE = 1_000_000n;

export function computeLiquidityEpoch(at: number): number {
  return Math.floor(at / LIQUIDITY_EPOCH_MS);
}

/** The last computed levels of each market, valid until the next repricing. */
const ladders = new WeakMap<PaperMarket, { repricedAt: number; levels: readonly HouseLevel[] }>();

/**
 * Returns the house levels at an instant, before users took from them: a pure function of the market
 * and time. Empty while the market is not open.
 */
export function computeHouseLevels(market: PaperMarket, at: number): readonly HouseLevel[] {
  if (at < market.opensAt || at >= market.closesAt) return [];
  // An epoch is a whole number of repricings, so sizes never change between two repricings.
  const repricedAt = findRepricing(at);
  const cached = ladders.get(market);
  if (cached?.repricedAt === repricedAt) return cached.levels;
  const reference = computeReferencePrice(market, repricedAt);
  const levels = [
    ...computeSide(market, "bid", reference, at),
    ...computeSide(market, "ask", reference, at),
  ];
  ladders.set(market, { repricedAt, levels });
  return levels;
}

/**
 * Returns the mark of a market at an instant at which only the house quotes: the middle of its best
 * prices, or the fair price while it quotes one side. Past prices are these, so that a chart ends at
 * the price that the book shows (docs/adr/0065-chart-the-middle-of-the-house-quotes.md).
 */
export function computeHouseMark(market: PaperMarket, at: number): Price {
  const reference = computeReferencePrice(market, findRepricing(at));
  const findBest = (side: BookSide) => {
    const best = computeBestPrice(market, side, reference);
    return isQuotable(market, side, best, reference) ? best : null;
  };
  const midpoint =
    at < market.closesAt ? computeMidpoint({ bid: findBest("bid"), ask: findBest("ask") }) : null;
  return midpoint ?? computeReferencePrice(market, at);
}

const findRepricing = (at: number) => Math.floor(at / REPRICE_MS) * REPRICE_MS;

function computeSide(
  market: PaperMarket,
  side: BookSide,
  reference: Price,
  at: number,
): HouseLevel[] {
  const { tick } = market;
  const gap = LEVEL_GAP > tick ? LEVEL_GAP - (LEVEL_GAP % tick) : tick;
  const away = side === "bid" ? -1n : 1n;
  const best = computeBestPrice(market, side, reference);
  const levels: HouseLevel[] = [];
  for (let index = 0; index < LEVELS; index += 1) {
    const quoted = price(best + away * gap * BigInt(index));
    if (!isQuotable(market, side, quoted, reference)) break;
    levels.push({
      side,
      price: quoted,
      size: shares(computeSize(market, side, quoted, index, at)),
    });
  }
  return levels;
}

function computeBestPrice({ event, tick }: PaperMarket, side: BookSide, reference: Price): Price {
  const half = HALF_SPREAD[event.depth];
  return side === "bid" ? floorToGrid(reference - half, tick) : ceilToGrid(reference + half, tick);
}

/** Whether a price is on the grid and on its side of the fair price. */
function isQuotable(
  { tick }: PaperMarket,
  side: BookSide,
  quoted: Price,
  reference: Price,
): boolean {
  return side === "bid"
    ? quoted >= tick && quoted < reference
    : quoted <= ONE - tick && quoted > reference;
}

function computeSize(
  market: PaperMarket,
  side: BookSide,
  at: Price,
  index: number,
  time: number,
): bigint {
  const key = hashText(`${market.id}/${side}`);
  const jitter = 0.5 + uniform(key, Number(at), computeLiquidityEpoch(time));
  const whole = Math.max(
    5,
    Math.round(BASE_SHARES[market.event.depth] * (1 + GROWTH * index) * jitter),
  );
  return BigInt(whole) * MICRO_SHARE;
}
