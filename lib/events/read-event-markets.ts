import "server-only";
import type { Tx } from "@/lib/db/database";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import type { MarketRow } from "@/lib/db/rows";
import type { AccountEvent } from "@/lib/schemas/events";

/** Returns the markets of the events' orders, fills and wallet transactions, by id. */
export async function readEventMarkets(
  db: Tx,
  events: readonly AccountEvent[],
): Promise<ReadonlyMap<string, MarketRow>> {
  const ids = events.flatMap(({ data }) => {
    if ("order" in data) return data.order.marketId;
    if ("transaction" in data) return data.transaction.marketId ?? [];
    return "fill" in data ? data.fill.marketId : [];
  });
  const rows = ids.length === 0 ? [] : await selectMarketRows(db, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
