import "server-only";
import { and, desc, eq, or, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { ofMode } from "@/lib/db/queries/mode";
import { isNotReversed } from "@/lib/db/queries/reversed";
import type { FillRow } from "@/lib/db/rows";
import { fills, markets } from "@/lib/db/schema/trading";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import type { Price } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

/**
 * Selects the last trades of a market in one mode, newest first, one fill for each. A trade between
 * two users has two fills, of which this returns the taker's; a trade with the house has one.
 */
export function selectTrades(
  tx: Tx,
  { marketId, mode }: { marketId: string; mode: Mode },
  limit: number,
): Promise<FillRow[]> {
  const isOnlyFill = sql`not exists (
    select 1 from fills as other
    where other.trade_id = ${fills.tradeId} and other.role = 'taker'
      and (other.epoch = ${LIVE_EPOCH}) = (${fills.epoch} = ${LIVE_EPOCH})
  )`;
  return tx
    .select()
    .from(fills)
    .where(
      and(
        eq(fills.marketId, marketId),
        ofMode(fills.epoch, mode),
        or(eq(fills.role, "taker"), isOnlyFill),
        isNotReversed(),
      ),
    )
    .orderBy(desc(fills.sequence))
    .limit(limit);
}

/** Selects a market's last price, in prices of its first token; null before the first trade. */
export async function selectLastPrice(tx: Tx, marketId: string): Promise<Price | null> {
  const [row] = await tx
    .select({ last: markets.lastPrice })
    .from(markets)
    .where(eq(markets.id, marketId));
  return row?.last ?? null;
}
