import "server-only";
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
  const repricedAt = Math.floor(at / REPRICE_MS) * REPRICE_MS;
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

function computeSide(
  market: PaperMarket,
  side: BookSide,
  reference: Price,
  at: number,
): HouseLevel[] {
  const { tick } = market;
  const half = HALF_SPREAD[market.event.depth];
  const gap = LEVEL_GAP > tick ? LEVEL_GAP - (LEVEL_GAP % tick) : tick;
  const away = side === "bid" ? -1n : 1n;
  const best =
    side === "bid" ? floorToGrid(reference - half, tick) : ceilToGrid(reference + half, tick);
  const levels: HouseLevel[] = [];
  for (let index = 0; index < LEVELS; index += 1) {
    const quoted = price(best + away * gap * BigInt(index));
    const isQuotable =
      side === "bid"
        ? quoted >= tick && quoted < reference
        : quoted <= ONE - tick && quoted > reference;
    if (!isQuotable) break;
    levels.push({
      side,
      price: quoted,
      size: shares(computeSize(market, side, quoted, index, at)),
    });
  }
  return levels;
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
