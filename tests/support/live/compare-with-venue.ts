// Compares a wallet's orders at the venue with the recorded ones.
import { and, asc, eq, inArray, isNotNull, or } from "drizzle-orm";
import { expect } from "vitest";
import { getDb } from "@/lib/db/client";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { fills, orders } from "@/lib/db/schema/trading";
import { verifyBooksAndLogs } from "@/lib/ledger/verify-logs";
import { toUserId } from "@/lib/sandbox/accounts";
import { reconcileNow, reconcile } from "@/lib/orders/live/reconcile-leases";
import { foldLiveLog, readBooks } from "@/tests/support/events/fold";
import type { LiveUser } from "@/tests/support/live/venue";

export interface ComparedOrder {
  venueOrderId: string;
  /** Null for an external order. */
  idempotencyKey: string | null;
  ours: { status: string; filled: bigint; held: bigint } | null;
  venue: { status: string; filled: bigint } | null;
}

/** Returns every order of a wallet with its state here and at the venue, oldest first. */
export async function compareOrders(user: LiveUser): Promise<ComparedOrder[]> {
  const db = await getDb();
  const ours = await db
    .select({ order: orders, remote: remoteOrders })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(eq(remoteOrders.userId, user.userId))
    .orderBy(asc(orders.sequence));
  const theirs = await db
    .select()
    .from(orders)
    .where(eq(orders.userId, toUserId(user.funder)))
    .orderBy(asc(orders.sequence));
  const ids = new Set([
    ...ours.map(({ remote }) => remote.venueOrderId),
    ...theirs.map(({ id }) => id),
  ]);
  return [...ids].map((venueOrderId) => {
    const own = ours.find(({ remote }) => remote.venueOrderId === venueOrderId);
    const venue = theirs.find(({ id }) => id === venueOrderId);
    return {
      venueOrderId,
      idempotencyKey: own ? (JSON.parse(own.order.idempotencyKeyJson) as string | null) : "",
      ours: own
        ? { status: own.order.status, filled: own.order.filledShares, held: own.order.held }
        : null,
      venue: venue ? { status: venue.status, filled: venue.filledShares } : null,
    };
  });
}

/** Reconciles until every outcome is known, up to a limit. */
export async function reconcileUntilSettled(user: LiveUser, rounds = 60): Promise<void> {
  // An idle account is polled seconds later: an abandoned order may have appeared.
  await reconcileNow(user.userId);
  for (let round = 0; round < rounds; round += 1) {
    await reconcile();
    const db = await getDb();
    const waiting = await db
      .select({ id: orders.id })
      .from(orders)
      .innerJoin(remoteOrders, eq(remoteOrders.orderId, orders.id))
      .where(
        and(
          eq(orders.userId, user.userId),
          or(
            inArray(orders.status, ["submitting", "unknown", "delayed"]),
            and(eq(orders.status, "open"), isNotNull(remoteOrders.cancelRequestedAt)),
          ),
        ),
      );
    if (waiting.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await reconcile();
}

/** Returns the differences between both sides and the inconsistencies of the ledger. */
export async function findDisagreements(user: LiveUser): Promise<string[]> {
  const found = await findDifferences(user);
  const { problems } = await verifyBooksAndLogs();
  expect(await foldLiveLog(user.userId)).toEqual(await readBooks(user.userId, "live"));
  return [...found, ...problems];
}

/**
 * Returns the differences between a wallet's two sides. Every order at the venue must be recorded, no
 * key may have two orders, and status and fills must be equal.
 */
export async function findDifferences(user: LiveUser): Promise<string[]> {
  const compared = await compareOrders(user);
  const found: string[] = [];
  const byKey = new Map<string, number>();
  for (const { venueOrderId, idempotencyKey, ours, venue } of compared) {
    if (!ours) found.push(`the venue has ${venueOrderId}, which is not recorded`);
    if (venue && venue.status !== "rejected" && idempotencyKey !== null) {
      byKey.set(idempotencyKey, (byKey.get(idempotencyKey) ?? 0) + 1);
    }
    if (!ours) continue;
    const isAtVenue = venue !== null && venue.status !== "rejected";
    const isHere = !["rejected", "abandoned", "submitting", "unknown"].includes(ours.status);
    if (isAtVenue !== isHere) {
      found.push(
        `${idempotencyKey}: we say ${ours.status}, the venue ${venue?.status ?? "nothing"}`,
      );
    }
    if (isAtVenue && isHere && (venue.status !== ours.status || venue.filled !== ours.filled)) {
      found.push(
        `${idempotencyKey}: we say ${ours.status} ${ours.filled}, the venue ${venue.status} ${venue.filled}`,
      );
    }
  }
  for (const [key, count] of byKey) if (count > 1) found.push(`${key} has ${count} orders`);
  return found;
}

/** Selects a user's fills. Two fills must never have the same trade. */
export async function selectFills(user: LiveUser) {
  const db = await getDb();
  return db.select().from(fills).where(eq(fills.userId, user.userId));
}
