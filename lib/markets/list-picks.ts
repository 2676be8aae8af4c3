import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectOrders } from "@/lib/db/queries/orders";
import { selectWatchedIds } from "@/lib/db/queries/watchlist";
import type { MarketList } from "@/lib/schemas/markets";
import { toMarketView } from "@/lib/markets/market-view";
import { getVenue } from "@/lib/venues";

/** Orders that are searched for recently traded markets. */
const RECENT_ORDERS = 50;

type Markets = z.output<typeof MarketList>["markets"];

/** Returns the open markets of the user's watchlist and of the account's newest orders. */
export async function listPicks(
  principal: Principal,
  limit: number,
): Promise<{ watched: Markets; recent: Markets }> {
  const venue = getVenue(principal.mode);
  const db = await getDb();
  const [watchedIds, orders] = await Promise.all([
    selectWatchedIds(db, principal.userId),
    selectOrders(db, { account: principal }, null, RECENT_ORDERS),
  ]);
  const recentIds = [...new Set(orders.map(({ order }) => order.marketId))];
  const markets = await venue.getMarkets([...new Set([...watchedIds, ...recentIds])]);
  const pick = (ids: readonly string[]) =>
    ids
      .flatMap((id) => markets.get(id) ?? [])
      .filter((market) => venue.getState(market).status === "open")
      .slice(0, limit);
  const [watched, recent] = [pick(watchedIds), pick(recentIds)];
  const quotes = await venue.getQuotes([...new Set([...watched, ...recent])]);
  const show = (picked: typeof watched): Markets =>
    picked.flatMap((market) => {
      const quote = quotes.get(market.id);
      return quote ? [toMarketView(venue, market, quote)] : [];
    });
  return { watched: show(watched), recent: show(recent) };
}
