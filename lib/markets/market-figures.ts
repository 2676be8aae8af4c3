import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectVolume, selectVolumesSince } from "@/lib/db/queries/market-volume";
import {
  type Book,
  getMakerPrice,
  getMakerSize,
  getTakerPrice,
  queue,
} from "@/lib/domain/matching";
import { NO_USDC, notional, sum, type Usdc } from "@/lib/units";
import type { Market, MarketSource } from "@/lib/venue/port";

const DAY_MS = 24 * 3_600_000;

export interface MarketFigures {
  /** What traded so far; null if the venue doesn't say. */
  volume: Usdc | null;
  /** The money of the orders in the book; null if the venue doesn't say. */
  liquidity: Usdc | null;
}

/**
 * Returns the volume and liquidity of a market. A live venue's markets have the venue's own figures;
 * the paper exchange's are what all users of this service traded, and what rests in its book.
 */
export async function readMarketFigures(
  venue: MarketSource,
  market: Market,
): Promise<MarketFigures> {
  if (market.figures) {
    const { volume, liquidity } = market.figures;
    return { volume, liquidity };
  }
  const [volume, book] = await Promise.all([
    selectVolume(await getDb(), market.id),
    venue.getBook(market),
  ]);
  return { volume, liquidity: computeLiquidity(book) };
}

/**
 * Sums what the orders of a book would pay. An offer to sell one outcome is a bid for the other one,
 * so the sum is the same for both outcomes.
 */
export function computeLiquidity(book: Book): Usdc {
  return sum(
    (["bid", "ask"] as const).flatMap((side) =>
      queue(book, side).map((maker) =>
        notional(getMakerSize(maker), getTakerPrice(side, getMakerPrice(maker)), "down"),
      ),
    ),
  );
}

/** Returns what traded in the last 24 hours, by market id. Markets without a figure are left out. */
export async function readDayVolumes(
  markets: readonly Market[],
): Promise<ReadonlyMap<string, Usdc>> {
  const traded = await selectVolumesSince(await getDb(), new Date(now() - DAY_MS));
  return new Map(
    markets.flatMap(({ id, figures }) => {
      const volume = figures ? figures.dayVolume : (traded.get(id) ?? NO_USDC);
      return volume === null ? [] : [[id, volume] as const];
    }),
  );
}
