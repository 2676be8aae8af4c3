import "server-only";
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { isNotReversed } from "@/lib/db/queries/reversed";
import type { PositionRow } from "@/lib/db/rows";
import { users } from "@/lib/db/schema/accounts";
import { fills, markets, positions } from "@/lib/db/schema/trading";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";

/**
 * Selects markets that may be resolved and whose holders were not told: simulated ones that resolve by
 * `at`, and those of Polymarket that were traded, which can be resolved before their expected end.
 */
export function selectUnannounced(
  tx: Tx,
  at: Date,
  limit: number,
): Promise<{ id: string; isSimulated: boolean }[]> {
  const isSimulated = isNotNull(markets.templateId);
  const wasTraded = sql`exists (select from ${fills} where ${fills.marketId} = ${markets.id})`;
  return tx
    .select({ id: markets.id, isSimulated: sql<boolean>`${isSimulated}` })
    .from(markets)
    .where(
      and(
        isNull(markets.announcedAt),
        or(
          and(isSimulated, lte(markets.resolvesAt, at)),
          and(isNull(markets.templateId), wasTraded),
        ),
      ),
    )
    .limit(limit);
}

/** Marks a market as announced. Returns false if another process has. */
export async function markAnnounced(tx: Tx, marketId: string, at: Date): Promise<boolean> {
  const marked = await tx
    .update(markets)
    .set({ announcedAt: at })
    .where(and(eq(markets.id, marketId), isNull(markets.announcedAt)))
    .returning({ id: markets.id });
  return marked.length === 1;
}

/** Selects the paper positions of a market with shares, in the current epochs. */
export async function selectHoldings(tx: Tx, marketId: string): Promise<PositionRow[]> {
  const rows = await tx
    .select({ position: positions })
    .from(positions)
    .innerJoin(users, and(eq(users.id, positions.userId), eq(users.epoch, positions.epoch)))
    .where(and(eq(positions.marketId, marketId), gt(positions.shares, sql`0`)));
  return rows.map(({ position }) => position);
}

/** Selects the live accounts whose trades through this service left them with shares of a market. */
export async function selectLiveHolders(tx: Tx, marketId: string): Promise<string[]> {
  const signed = sql`case ${fills.action} when 'BUY' then ${fills.shares} else - ${fills.shares} end`;
  const rows = await tx
    .select({ userId: fills.userId })
    .from(fills)
    .where(and(eq(fills.marketId, marketId), eq(fills.epoch, LIVE_EPOCH), isNotReversed()))
    .groupBy(fills.userId, fills.tokenId)
    .having(sql`sum(${signed}) > 0`);
  return [...new Set(rows.map(({ userId }) => userId))];
}
