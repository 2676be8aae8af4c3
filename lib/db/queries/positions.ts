import "server-only";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { listColumns, decodeRow, insertRows, toJsonRows, writeTogether } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { PositionRow } from "@/lib/db/rows";
import { positions } from "@/lib/db/schema/trading";
import type { Owner } from "@/lib/ledger/accounts";

interface HoldingKey extends Owner {
  tokenId: string;
}

/** Selects the rows of holdings. Leaves out holdings without a row. */
export async function selectPositions(tx: Tx, keys: readonly HoldingKey[]): Promise<PositionRow[]> {
  if (keys.length === 0) return [];
  const wanted = keys.map(({ userId, epoch, tokenId }) => ({ userId, epoch, tokenId }));
  const rows = await selectRows<Record<string, unknown>>(
    tx,
    sql`select ${listColumns(positions, "positions")}
        from json_to_recordset(${toJsonRows(wanted)}::text::json) as wanted
          ("userId" text, epoch integer, "tokenId" text)
        join positions on positions.user_id = wanted."userId"
          and positions.epoch = wanted.epoch and positions.token_id = wanted."tokenId"`,
  );
  return rows.map((row) => decodeRow(positions, row));
}

/** Selects a user's positions with shares. */
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
  await writeTogether(tx, buildPositionWrites(rows));
}

/** Builds the upsert of positions. */
export function buildPositionWrites(rows: readonly PositionRow[]): SQL[] {
  if (rows.length === 0) return [];
  return [
    sql`${insertRows(positions, rows)}
      on conflict (user_id, epoch, token_id) do update set shares_micro = excluded.shares_micro,
        cost_micro = excluded.cost_micro, realized_pnl_micro = excluded.realized_pnl_micro,
        updated_at = excluded.updated_at`,
  ];
}

/** Selects the market of every token that an account holds or held, by token. */
export async function selectTokenMarkets(tx: Tx, owner: Owner): Promise<Map<string, string>> {
  const rows = await tx
    .select({ tokenId: positions.tokenId, marketId: positions.marketId })
    .from(positions)
    .where(and(eq(positions.userId, owner.userId), eq(positions.epoch, owner.epoch)));
  return new Map(rows.map((row) => [row.tokenId, row.marketId]));
}
