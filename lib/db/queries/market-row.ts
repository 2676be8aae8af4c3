import "server-only";
import { eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import type { MarketRow } from "@/lib/db/rows";
import { markets } from "@/lib/db/schema/trading";
import type { Market } from "@/lib/venue/port";

/** Converts any venue's market to a row: its description at the first trade, and its fee rate. */
export function toMarketRow(market: Market): typeof markets.$inferInsert {
  const [first, second] = market.outcomes;
  const { id, slug, title, icon, tick, feeRate, isNegRisk, protocol } = market;
  return {
    id,
    slug,
    title,
    icon,
    firstToken: first.tokenId,
    secondToken: second.tokenId,
    firstOutcome: first.name,
    secondOutcome: second.name,
    tick,
    feeRate,
    isNegRisk,
    protocol,
    opensAt: new Date(market.opensAt),
    closesAt: new Date(market.closesAt),
    resolvesAt: new Date(market.resolvesAt),
  };
}

/** Selects the ids of stored markets with this id or slug. Several markets can share a slug. */
export async function selectMarketIds(tx: Tx, idOrSlug: string): Promise<string[]> {
  // Postgres cannot store NUL.
  if (idOrSlug.includes("\0")) return [];
  const rows = await tx
    .select({ id: markets.id })
    .from(markets)
    .where(or(eq(markets.id, idOrSlug), eq(markets.slug, idOrSlug)));
  return rows.map(({ id }) => id);
}

/** Builds the update of a stored market's fee rate. Locks the row only if the rate changed. */
export const updateFeeRate = ({ id, feeRate }: Pick<Market, "id" | "feeRate">): SQL =>
  sql`update markets set fee_rate_micro = ${feeRate.toString()}::text::bigint
    where id = ${id}::text and fee_rate_micro <> ${feeRate.toString()}::text::bigint`;

/** Selects recorded markets by id. */
export function selectMarketRows(tx: Tx, ids: readonly string[]): Promise<MarketRow[]> {
  return tx
    .select()
    .from(markets)
    .where(inArray(markets.id, [...new Set(ids)]));
}
