import "server-only";
import { and, eq, gt, or, type SQL, sql } from "drizzle-orm";
import { insertRows, writeTogether } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import type { PositionRow } from "@/lib/db/rows";
import { positions } from "@/lib/db/schema/trading";
import type { Owner } from "@/lib/ledger/accounts";

interface HoldingKey extends Owner {
  tokenId: string;
}

/** The rows of some holdings; holdings without a row are left out. */
export function selectPositions(tx: Tx, keys: readonly HoldingKey[]): Promise<PositionRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  const conditions = keys.map((key) =>
    and(
      eq(positions.userId, key.userId),
      eq(positions.epoch, key.epoch),
      eq(positions.tokenId, key.tokenId),
    ),
  );
  return tx
    .select()
    .from(positions)
    .where(or(...conditions));
}

/** What a user holds now: the positions with shares in them. */
export function selectHeldPositions(tx: Tx, owner: Owner): Promise<PositionRow[]> {
  return tx
    .select()
    .from(positions)
    .where(
      and(
        eq(positions.userId, owner.userId),
        eq(positions.epoch, owner.epoch),
        gt(positions.shares, sql`0`),
      ),
    )
    .orderBy(positions.updatedAt, positions.tokenId);
}

export async function upsertPositions(tx: Tx, rows: readonly PositionRow[]): Promise<void> {
  await writeTogether(tx, positionWrites(rows));
}

/** What keeping these holdings writes. */
export function positionWrites(rows: readonly PositionRow[]): SQL[] {
  if (rows.length === 0) return [];
  return [
    sql`${insertRows(positions, rows)}
      on conflict (user_id, epoch, token_id) do update set shares_micro = excluded.shares_micro,
        cost_micro = excluded.cost_micro, realized_pnl_micro = excluded.realized_pnl_micro,
        updated_at = excluded.updated_at`,
  ];
}
