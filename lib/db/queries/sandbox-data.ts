import "server-only";
import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { textEquals } from "@/lib/db/text";
import type { FillRow, PositionRow } from "@/lib/db/rows";
import { fills, positions } from "@/lib/db/schema/trading";
import type { Owner } from "@/lib/ledger/accounts";
import { averagePrice, type Shares, shares, type Usdc, usdc } from "@/lib/units";

/** A list of all wallets' trades covers this many order events. */
const RECENT_EVENTS = 20_000;

/** All purchases of a token ever, including shares that were sold since. */
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

/** Selects an owner's purchases by token, and what splits gave. */
export async function selectPurchases(tx: Tx, owner: Owner): Promise<Map<string, Purchases>> {
  const rows = await selectRows<PurchasesRow>(
    tx,
    sql`select token_id, sum(shares_micro)::text as shares, sum(notional_micro)::text as cost,
          sum(fee_micro)::text as fees,
          (extract(epoch from min(created_at)) * 1000)::bigint::text as first_ms
        from (
          select token_id, shares_micro, notional_micro, fee_micro, created_at from fills
          where user_id = ${owner.userId} and epoch = ${owner.epoch} and action = 'BUY'
          union all select token_id, shares_micro, notional_micro, 0, created_at from split_movements
          where user_id = ${owner.userId} and epoch = ${owner.epoch} and action = 'BUY') as bought
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

/** Selects every position that an owner ever had, including those without shares. */
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
  /** The prefix of sandbox accounts' ids. */
  prefix: string;
  marketIds?: readonly string[] | undefined;
  action?: "BUY" | "SELL" | undefined;
  isTakersOnly: boolean;
  minShares?: bigint | undefined;
  minNotional?: bigint | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * Selects the public trades of sandbox accounts, newest first. A trade is a maker's fill, or
 * everything that one order took at once, at its average price.
 */
export async function selectPublicFills(
  tx: Tx,
  filter: PublicFillsFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<FillRow[]> {
  const { minShares, minNotional } = filter;
  const group = sql`case when ${fills.role} = 'taker' then ${fills.orderId} else ${fills.id} end`;
  const size = sql<string>`sum(${fills.shares})`;
  const paid = sql<string>`sum(${fills.notional})`;
  const groups = await tx
    .select({
      first: sql<string>`(array_agg(${fills.id} order by ${fills.sequence}))[1]`,
      taken: sql<Shares>`${size}::bigint`.mapWith(fills.shares),
      notional: sql<Usdc>`${paid}::bigint`.mapWith(fills.notional),
      fee: sql<Usdc>`sum(${fills.fee})::bigint`.mapWith(fills.fee),
      count: sql<number>`count(*)::int`,
    })
    .from(fills)
    .where(and(...buildFillConditions(filter)))
    .groupBy(group, fills.createdAt)
    .having(
      and(
        minShares === undefined ? undefined : sql`${size} >= ${minShares.toString()}::bigint`,
        minNotional === undefined ? undefined : sql`${paid} >= ${minNotional.toString()}::bigint`,
      ),
    )
    .orderBy(desc(fills.createdAt), desc(sql`min(${fills.sequence})`))
    .offset(offset)
    .limit(limit);
  const rows = new Map(
    (await selectFirstFills(tx, groups)).map((row): [string, FillRow] => [row.id, row]),
  );
  return groups.flatMap(({ first, count, ...figures }) => {
    const row = rows.get(first);
    if (!row) return [];
    const { taken, notional } = figures;
    const price = count === 1 ? row.price : averagePrice(notional, taken);
    return [{ ...row, shares: taken, notional, fee: figures.fee, price }];
  });
}

async function selectFirstFills(tx: Tx, groups: readonly { first: string }[]): Promise<FillRow[]> {
  if (groups.length === 0) return [];
  const ids = groups.map(({ first }) => first);
  return tx.select().from(fills).where(inArray(fills.id, ids));
}

function buildFillConditions(filter: PublicFillsFilter): (SQL | undefined)[] {
  const { userId, marketIds, from, to } = filter;
  return [
    userId === undefined
      ? sql`starts_with(${fills.userId}, ${filter.prefix})`
      : textEquals(fills.userId, userId),
    userId === undefined && marketIds === undefined ? isRecent() : undefined,
    marketIds && inArray(fills.marketId, [...marketIds]),
    filter.action && eq(fills.action, filter.action),
    filter.isTakersOnly ? eq(fills.role, "taker") : undefined,
    from && gte(fills.createdAt, from),
    to && lte(fills.createdAt, to),
  ];
}

/** Finds recent fills through the newest order events, because fills have no index by time. */
function isRecent(): SQL {
  return sql`${fills.id} in (
    select recent.detail ->> 'fillId' from (
      select type, detail from order_events order by id desc limit ${RECENT_EVENTS}
    ) recent where recent.type = 'matched')`;
}

/** Sums an owner's trades. */
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
