import { asc, eq, inArray, sql } from "drizzle-orm";
import { getDb, selectRows } from "@/lib/db/client";
import { selectOrderEvents, selectOrderFills } from "@/lib/db/queries/orders";
import { selectAccount } from "@/lib/db/queries/users";
import type { FillRow, OrderRow, PositionRow } from "@/lib/db/rows";
import { ledgerAccounts, ledgerTransfers } from "@/lib/db/schema/ledger";
import { orders, positions } from "@/lib/db/schema/trading";
import type { Owner } from "@/lib/ledger/accounts";
import { type CashBalance, readCash, readShares } from "@/lib/ledger/read-balances";
import type { Shares } from "@/lib/units";

/** Returns the balances of the ledger by account. */
export async function readLedger(): Promise<Map<string, bigint>> {
  const db = await getDb();
  const rows = await db.select().from(ledgerAccounts);
  return new Map(rows.map((row) => [row.id, row.balance]));
}

/** Returns the balance changes since `before`, without unchanged accounts. */
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

/** Counts and sums all state that a refused order must not change. */
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

export async function readOwner(user: { userId: string }): Promise<Owner> {
  const account = await selectAccount(await getDb(), user.userId);
  if (!account) throw new Error(`user ${user.userId} has an account`);
  return { userId: account.userId, epoch: account.epoch };
}

export async function readCashBalance(user: { userId: string }): Promise<CashBalance> {
  return readCash(await getDb(), await readOwner(user));
}

export async function readHeldShares(
  user: { userId: string },
  tokenId: string,
): Promise<{ available: Shares; held: Shares }> {
  return readShares(await getDb(), await readOwner(user), tokenId);
}

export async function readPosition(
  user: { userId: string },
  tokenId: string,
): Promise<PositionRow | null> {
  const db = await getDb();
  const owner = await readOwner(user);
  const rows = await db.select().from(positions).where(eq(positions.userId, owner.userId));
  return rows.find((row) => row.tokenId === tokenId && row.epoch === owner.epoch) ?? null;
}

export async function orderRow(id: string): Promise<OrderRow> {
  const [row] = await (await getDb()).select().from(orders).where(eq(orders.id, id));
  if (!row) throw new Error(`order ${id} exists`);
  return row;
}

export async function readFills(orderId: string): Promise<FillRow[]> {
  return selectOrderFills(await getDb(), orderId);
}

/** Returns the events of an order with their reasons: "canceled:requested". */
export async function readOrderEvents(orderId: string): Promise<string[]> {
  const events = await selectOrderEvents(await getDb(), orderId);
  return events.map(({ type, detail }) => {
    const reason = detail["reason"];
    return reason === undefined ? type : `${type}:${reason}`;
  });
}

export interface OrderMoney {
  /** The hold at acceptance: USDC for a BUY, shares for a SELL. */
  original: bigint;
  /** Paid or delivered from the hold, including fees. */
  spent: bigint;
  released: bigint;
  /** The remaining hold in the order's row. */
  held: bigint;
}

/** Computes the use of an order's hold from the transfers. */
export async function readOrderMoney(orderId: string): Promise<OrderMoney> {
  const db = await getDb();
  const entries = await db
    .select()
    .from(ledgerTransfers)
    .where(inArray(ledgerTransfers.orderId, [orderId]))
    .orderBy(asc(ledgerTransfers.sequence));
  const total = (wanted: (entry: (typeof entries)[number]) => boolean) =>
    entries.filter(wanted).reduce((sum, entry) => sum + entry.amount, 0n);
  return {
    original: total((entry) => entry.kind === "hold"),
    released: total((entry) => entry.kind === "release"),
    spent: total(
      (entry) =>
        entry.kind !== "hold" && entry.kind !== "release" && entry.debitAccount.endsWith("/held"),
    ),
    held: (await orderRow(orderId)).held,
  };
}
