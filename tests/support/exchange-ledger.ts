import { asc, eq, inArray, sql } from "drizzle-orm";
import { getDb, selectRows } from "@/lib/db/client";
import { selectOrderEvents, selectOrderFills } from "@/lib/db/queries/orders";
import { selectAccount } from "@/lib/db/queries/users";
import type { FillRow, OrderRow, PositionRow } from "@/lib/db/rows";
import { ledgerAccounts, ledgerTransfers } from "@/lib/db/schema/ledger";
import { orders, positions } from "@/lib/db/schema/trading";
import type { Owner } from "@/lib/ledger/accounts";
import { type CashBalance, readCash, readShares } from "@/lib/ledger/balances";
import type { Shares } from "@/lib/units";

/** Every balance of the ledger, by account. */
export async function readLedger(): Promise<Map<string, bigint>> {
  const db = await getDb();
  const rows = await db.select().from(ledgerAccounts);
  return new Map(rows.map((row) => [row.id, row.balance]));
}

/** What every account gained or lost since then; accounts that are even are left out. */
export async function ledgerChanges(
  before: ReadonlyMap<string, bigint>,
): Promise<Record<string, bigint>> {
  const after = await readLedger();
  const changes: Record<string, bigint> = {};
  for (const [id, balance] of after) {
    const change = balance - (before.get(id) ?? 0n);
    if (change !== 0n) changes[id] = change;
  }
  return changes;
}

/** How much the database holds of everything that a refused order must not leave. */
export async function readTotals(): Promise<Record<string, string>> {
  const [row] = await selectRows<Record<string, string>>(
    await getDb(),
    sql`select (select count(*) from ledger_transfers)::text as transfers,
          (select coalesce(sum(balance_micro) filter (where user_id is not null), 0)
            from ledger_accounts)::text as balances,
          (select count(*) from fills)::text as fills,
          (select coalesce(sum(held_micro), 0) from orders)::text as held,
          (select count(*) from orders where status in ('open', 'delayed'))::text as live,
          (select coalesce(sum(taken_micro), 0) from house_taken)::text as taken`,
  );
  return row ?? {};
}

export async function ownerOf(user: { userId: string }): Promise<Owner> {
  const account = await selectAccount(await getDb(), user.userId);
  if (!account) throw new Error(`user ${user.userId} has an account`);
  return { userId: account.userId, epoch: account.epoch };
}

export async function cashOf(user: { userId: string }): Promise<CashBalance> {
  return readCash(await getDb(), await ownerOf(user));
}

export async function sharesOf(
  user: { userId: string },
  tokenId: string,
): Promise<{ available: Shares; held: Shares }> {
  return readShares(await getDb(), await ownerOf(user), tokenId);
}

export async function positionOf(
  user: { userId: string },
  tokenId: string,
): Promise<PositionRow | null> {
  const db = await getDb();
  const owner = await ownerOf(user);
  const rows = await db.select().from(positions).where(eq(positions.userId, owner.userId));
  return rows.find((row) => row.tokenId === tokenId && row.epoch === owner.epoch) ?? null;
}

export async function orderRow(id: string): Promise<OrderRow> {
  const [row] = await (await getDb()).select().from(orders).where(eq(orders.id, id));
  if (!row) throw new Error(`order ${id} exists`);
  return row;
}

export async function fillsOf(orderId: string): Promise<FillRow[]> {
  return selectOrderFills(await getDb(), orderId);
}

/** An order's biography as words, with the reason where one is given: "canceled:requested". */
export async function biographyOf(orderId: string): Promise<string[]> {
  const events = await selectOrderEvents(await getDb(), orderId);
  return events.map(({ type, detail }) => {
    const reason = detail["reason"];
    return reason === undefined ? type : `${type}:${reason}`;
  });
}

export interface OrderMoney {
  /** What the order reserved when it was accepted: USDC for a BUY, shares for a SELL. */
  original: bigint;
  /** Paid or delivered out of the reservation, fees included. */
  spent: bigint;
  released: bigint;
  /** Still reserved according to the order itself. */
  held: bigint;
}

/** What became of an order's reservation, according to the transfers alone. */
export async function moneyOf(orderId: string): Promise<OrderMoney> {
  const db = await getDb();
  const legs = await db
    .select()
    .from(ledgerTransfers)
    .where(inArray(ledgerTransfers.orderId, [orderId]))
    .orderBy(asc(ledgerTransfers.sequence));
  const total = (wanted: (leg: (typeof legs)[number]) => boolean) =>
    legs.filter(wanted).reduce((sum, leg) => sum + leg.amount, 0n);
  return {
    original: total((leg) => leg.kind === "hold"),
    released: total((leg) => leg.kind === "release"),
    spent: total(
      (leg) => leg.kind !== "hold" && leg.kind !== "release" && leg.debitAccount.endsWith("/held"),
    ),
    held: (await orderRow(orderId)).held,
  };
}
