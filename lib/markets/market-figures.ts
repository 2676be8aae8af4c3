import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectVolume, selectVolumes, selectVolumesSince } from "@/lib/db/queries/market-volume";
import { NO_USDC, type Usdc } from "@/lib/units";
import type { Market, MarketSource } from "@/lib/venue/port";

const DAY_MS = 24 * 3_600_000;

export interface MarketFigures {
  /** The value of all trades so far; null if the venue doesn't say. */
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
  const [volume, liquidity] = await Promise.all([
    market.figures ? market.figures.volume : selectVolume(await getDb(), market.id),
    venue.getLiquidity([market]),
  ]);
  return { volume, liquidity: liquidity.get(market.id) ?? null };
}

/** Returns the value of all trades so far, by market id. Markets without a figure are left out. */
export async function readVolumes(markets: readonly Market[]): Promise<ReadonlyMap<string, Usdc>> {
  const ids = markets.map(({ id }) => id);
  const traded = await selectVolumes(await getDb(), ids);
  return new Map(
    markets.flatMap(({ id, figures }) => {
      const volume = figures ? figures.volume : (traded.get(id) ?? NO_USDC);
      return volume === null ? [] : [[id, volume] as const];
    }),
  );
}

/** Returns the value of the trades of the last 24 hours, by market id. Markets without a figure are left out. */
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
