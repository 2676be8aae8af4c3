import "server-only";
import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { databaseTime } from "@/lib/db/database-time";
import { ofMode } from "@/lib/db/queries/mode";
import { booksChecks } from "@/lib/db/schema/audit";
import { reconciliations } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { LIVE_STATUSES, type OrderStatus } from "@/lib/domain/order-status";

export type BooksCheckRow = typeof booksChecks.$inferSelect;

const ONLY_ROW = 1;
const NO_FIGURES = { problems: 0, transfers: 0, accounts: 0, orders: 0, durationMs: 0 };

/** Selects the newest check of the books; null before the first. */
export async function selectBooksCheck(tx: Tx): Promise<BooksCheckRow | null> {
  const [row] = await tx.select().from(booksChecks).where(eq(booksChecks.id, ONLY_ROW));
  return row ?? null;
}

/**
 * Leases the next check to this process. Returns the checks of the last days, or null if another process
 * holds the lease.
 */
export async function leaseBooksCheck(
  tx: Tx,
  leaseMs: number,
): Promise<BooksCheckRow["days"] | null> {
  const leasedUntil = databaseTime(leaseMs);
  const [row] = await tx
    .insert(booksChecks)
    .values({ id: ONLY_ROW, leasedUntil, checkedAt: null, ...NO_FIGURES })
    .onConflictDoUpdate({
      target: booksChecks.id,
      set: { leasedUntil },
      setWhere: lte(booksChecks.leasedUntil, databaseTime()),
    })
    .returning({ days: booksChecks.days });
  return row?.days ?? null;
}

/** Stores the result of a check. After `pauseMs`, any process may lease the next one. */
export async function updateBooksCheck(
  tx: Tx,
  pauseMs: number,
  found: Partial<Omit<BooksCheckRow, "id" | "leasedUntil">> = {},
): Promise<void> {
  const change = { ...found, leasedUntil: databaseTime(pauseMs) };
  await tx.update(booksChecks).set(change).where(eq(booksChecks.id, ONLY_ROW));
}

/** Counts the live orders of paper accounts by status. */
export function countPaperOrders(tx: Tx): Promise<{ status: OrderStatus; count: number }[]> {
  return tx
    .select({ status: orders.status, count: sql<number>`count(*)::int` })
    .from(orders)
    .where(and(inArray(orders.status, [...LIVE_STATUSES]), ofMode(orders.epoch, "paper")))
    .groupBy(orders.status);
}

/** Totals over the reconciled accounts. */
export interface ReconcilerState {
  /** Accounts whose last comparison failed. */
  failing: number;
  /** The most consecutive failures of any account. */
  mostFailures: number;
  /** Accounts that were never reconciled. */
  neverReconciled: number;
  /** The oldest last reconciliation; null if no account was ever reconciled. */
  oldestSuccess: Date | null;
}

/** Selects the totals of the given accounts. */
export async function selectReconcilerState(
  tx: Tx,
  userIds: readonly string[],
): Promise<ReconcilerState> {
  const [row] = await tx
    .select({
      failing: sql<number>`(count(*) filter (where ${reconciliations.failures} > 0))::int`,
      mostFailures: sql<number>`coalesce(max(${reconciliations.failures}), 0)::int`,
      neverReconciled: sql<number>`(count(*) filter (where ${reconciliations.succeededAt} is null))::int`,
      oldestSuccess: sql<Date | null>`min(${reconciliations.succeededAt})`.mapWith(
        reconciliations.succeededAt,
      ),
    })
    .from(reconciliations)
    .where(userIds.length === 0 ? sql`false` : inArray(reconciliations.userId, [...userIds]));
  return row ?? { failing: 0, mostFailures: 0, neverReconciled: 0, oldestSuccess: null };
}
