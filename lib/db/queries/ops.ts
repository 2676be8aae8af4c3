import "server-only";
import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { ofMode } from "@/lib/db/queries/mode";
import { booksChecks } from "@/lib/db/schema/audit";
import { reconciliations } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { LIVE_STATUSES, type OrderStatus } from "@/lib/domain/order-status";

export type BooksCheckRow = typeof booksChecks.$inferSelect;

const ONLY_ROW = 1;
const NO_FIGURES = { problems: 0, transfers: 0, accounts: 0, orders: 0, durationMs: 0 };

/** The newest check of the books, or null before the first. */
export async function selectBooksCheck(tx: Tx): Promise<BooksCheckRow | null> {
  const [row] = await tx.select().from(booksChecks).where(eq(booksChecks.id, ONLY_ROW));
  return row ?? null;
}

/** Takes the next check for one process until `until`. Returns whether it was to be had. */
export async function leaseBooksCheck(
  tx: Tx,
  { at, until }: { at: Date; until: Date },
): Promise<boolean> {
  const row = { id: ONLY_ROW, leasedUntil: until, checkedAt: null, ...NO_FIGURES };
  const rows = await tx
    .insert(booksChecks)
    .values(row)
    .onConflictDoUpdate({
      target: booksChecks.id,
      set: { leasedUntil: until },
      setWhere: lte(booksChecks.leasedUntil, at),
    })
    .returning({ id: booksChecks.id });
  return rows.length === 1;
}

/** Keeps what a check found, and until when nobody needs to look again. */
export async function putBooksCheck(
  tx: Tx,
  found: Partial<Omit<BooksCheckRow, "id">>,
): Promise<void> {
  await tx.update(booksChecks).set(found).where(eq(booksChecks.id, ONLY_ROW));
}

/** Orders of paper accounts that may still trade. */
export function countPaperOrders(tx: Tx): Promise<{ status: OrderStatus; count: number }[]> {
  return tx
    .select({ status: orders.status, count: sql<number>`count(*)::int` })
    .from(orders)
    .where(and(inArray(orders.status, [...LIVE_STATUSES]), ofMode(orders.epoch, "paper")))
    .groupBy(orders.status);
}

/** How it stands with comparing accounts with the venue. */
export interface ReconcilerState {
  /** Accounts whose last comparison failed. */
  failing: number;
  /** Failures in a row of the worst one. */
  worstRow: number;
  /** Accounts that were never compared yet. */
  neverDone: number;
  /** When the account that waits longest was last compared; null when none was. */
  longestSince: Date | null;
}

/** Of the accounts that have something unsettled. */
export async function selectReconcilerState(
  tx: Tx,
  userIds: readonly string[],
): Promise<ReconcilerState> {
  const [row] = await tx
    .select({
      failing: sql<number>`(count(*) filter (where ${reconciliations.failures} > 0))::int`,
      worstRow: sql<number>`coalesce(max(${reconciliations.failures}), 0)::int`,
      neverDone: sql<number>`(count(*) filter (where ${reconciliations.succeededAt} is null))::int`,
      longestSince: sql<Date | null>`min(${reconciliations.succeededAt})`.mapWith(
        reconciliations.succeededAt,
      ),
    })
    .from(reconciliations)
    .where(userIds.length === 0 ? sql`false` : inArray(reconciliations.userId, [...userIds]));
  return row ?? { failing: 0, worstRow: 0, neverDone: 0, longestSince: null };
}
