import "server-only";
import { inArray } from "drizzle-orm";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { markets } from "@/lib/db/schema/trading";
import type { Price } from "@/lib/units";
import { listedPricesAt, readRemoteHistory } from "@/lib/venue/polymarket/history";
import type { RemoteMarket } from "@/lib/venue/polymarket/markets";
import type { PricePoint } from "@/lib/venue/port";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Steps of the last day and of everything before, so that all instants share one or two reads. */
const FINE_STEP_MS = 5 * MINUTE_MS;
const COARSE_STEP_MS = HOUR_MS;

/**
 * Polymarket's prices of first tokens at an instant, by market id. Its lists tell of now and of a
 * day ago; for other instants only the markets that somebody here traded are worth a request each.
 */
export async function polymarketPricesAt(
  list: readonly RemoteMarket[],
  at: number,
): Promise<Map<string, Price>> {
  const prices = listedPricesAt(list, at);
  const traded = await selectTraded(list.filter(({ id }) => !prices.has(id)));
  const found = await Promise.all(
    traded.map(async (market) => ({ id: market.id, price: await priceAt(market, at) })),
  );
  for (const { id, price } of found) if (price !== null) prices.set(id, price);
  return prices;
}

async function selectTraded(list: readonly RemoteMarket[]): Promise<RemoteMarket[]> {
  if (list.length === 0) return [];
  const db = await getDb();
  const ids = list.map(({ id }) => id);
  const rows = await db.select({ id: markets.id }).from(markets).where(inArray(markets.id, ids));
  const traded = new Set(rows.map(({ id }) => id));
  return list.filter(({ id }) => traded.has(id));
}

/** The last price before an instant; null when the market had none yet. */
async function priceAt(market: RemoteMarket, at: number): Promise<Price | null> {
  const isRecent = at > now() - DAY_MS;
  const stepMs = isRecent ? FINE_STEP_MS : COARSE_STEP_MS;
  const to = Math.floor(now() / stepMs) * stepMs;
  const from = isRecent ? to - DAY_MS - HOUR_MS : market.opensAt;
  const points = await readRemoteHistory(market, { from, to, stepMs });
  return lastBefore(points, at);
}

function lastBefore(points: readonly PricePoint[], at: number): Price | null {
  return points.findLast((point) => point.at <= at)?.price ?? null;
}
