import "server-only";
import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { textEquals } from "@/lib/db/queries/text";
import type { FillRow, PositionRow } from "@/lib/db/rows";
import { fills, positions } from "@/lib/db/schema/trading";
import type { Owner } from "@/lib/ledger/accounts";
import { type Shares, shares, type Usdc, usdc } from "@/lib/units";

/** How far back a list of everybody's trades goes. */
const RECENT_LINES = 20_000;

/** Everything that was ever bought of a token, whatever was sold since. */
export interface Purchases {
  shares: Shares;
  cost: Usdc;
  fees: Usdc;
  /** Milliseconds since the epoch. */
  firstAt: number;
}

interface PurchasesRow {
  token_id: string;
  shares: string;
  cost: string;
  fees: string;
  first_ms: string;
}

/** What an owner bought, by token. */
export async function selectPurchases(tx: Tx, owner: Owner): Promise<Map<string, Purchases>> {
  const rows = await selectRows<PurchasesRow>(
    tx,
    sql`select token_id, sum(shares_micro)::text as shares, sum(notional_micro)::text as cost,
          sum(fee_micro)::text as fees,
          (extract(epoch from min(created_at)) * 1000)::bigint::text as first_ms
        from fills
        where user_id = ${owner.userId} and epoch = ${owner.epoch} and action = 'BUY'
        group by token_id`,
  );
  return new Map(
    rows.map((row) => [
      row.token_id,
      {
        shares: shares(BigInt(row.shares)),
        cost: usdc(BigInt(row.cost)),
        fees: usdc(BigInt(row.fees)),
        firstAt: Number(row.first_ms),
      },
    ]),
  );
}

/** Every position that an owner ever had, those without shares among them. */
export function selectAllPositions(tx: Tx, owner: Owner): Promise<PositionRow[]> {
  return tx
    .select()
    .from(positions)
    .where(and(eq(positions.userId, owner.userId), eq(positions.epoch, owner.epoch)))
    .orderBy(asc(positions.tokenId));
}

export interface PublicFillsFilter {
  /** Undefined means every account of the sandbox. */
  userId?: string | undefined;
  /** What the ids of the sandbox's accounts begin with. */
  prefix: string;
  marketIds?: readonly string[] | undefined;
  action?: "BUY" | "SELL" | undefined;
  isTakersOnly: boolean;
  minShares?: bigint | undefined;
  minNotional?: bigint | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Fills of the sandbox's accounts, newest first, as anybody may see them. */
export function selectPublicFills(
  tx: Tx,
  filter: PublicFillsFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<FillRow[]> {
  return tx
    .select()
    .from(fills)
    .where(and(...fillConditions(filter)))
    .orderBy(desc(fills.createdAt), desc(fills.id))
    .offset(offset)
    .limit(limit);
}

function fillConditions(filter: PublicFillsFilter): (SQL | undefined)[] {
  const { userId, marketIds, minShares, minNotional, from, to } = filter;
  return [
    userId === undefined
      ? sql`starts_with(${fills.userId}, ${filter.prefix})`
      : textEquals(fills.userId, userId),
    userId === undefined && marketIds === undefined ? isRecent() : undefined,
    marketIds && inArray(fills.marketId, [...marketIds]),
    filter.action && eq(fills.action, filter.action),
    filter.isTakersOnly ? eq(fills.role, "taker") : undefined,
    minShares === undefined ? undefined : sql`${fills.shares} >= ${minShares.toString()}::bigint`,
    minNotional === undefined
      ? undefined
      : sql`${fills.notional} >= ${minNotional.toString()}::bigint`,
    from && gte(fills.createdAt, from),
    to && lte(fills.createdAt, to),
  ];
}

/** Looked for by the newest lines of orders' biographies, because fills are in no order of time. */
function isRecent(): SQL {
  return sql`${fills.id} in (
    select line.detail ->> 'fillId' from (
      select type, detail from order_events order by id desc limit ${RECENT_LINES}
    ) line where line.type = 'matched')`;
}

/** What an owner's trades come to. */
export async function selectTradeTotals(
  tx: Tx,
  owner: Owner,
): Promise<{ count: number; shares: Shares; notional: Usdc; fees: Usdc }> {
  const [row] = await selectRows<{ count: string; shares: string; notional: string; fees: string }>(
    tx,
    sql`select count(*)::text as count, coalesce(sum(shares_micro), 0)::text as shares,
          coalesce(sum(notional_micro), 0)::text as notional,
          coalesce(sum(fee_micro), 0)::text as fees
        from fills where user_id = ${owner.userId} and epoch = ${owner.epoch}`,
  );
  return {
    count: Number(row?.count ?? 0),
    shares: shares(BigInt(row?.shares ?? 0)),
    notional: usdc(BigInt(row?.notional ?? 0)),
    fees: usdc(BigInt(row?.fees ?? 0)),
  };
}
