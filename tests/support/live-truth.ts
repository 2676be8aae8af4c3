// What the venue really has of a wallet, against what the service says of it.
import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import { getDb } from "@/lib/db/client";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { fills, orders } from "@/lib/db/schema/trading";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { userIdOf } from "@/lib/sandbox/accounts";
import { hurry, reconcile } from "@/lib/services/remote-orders/reconcile";
import type { LiveUser } from "@/tests/support/live";

export interface ComparedOrder {
  venueOrderId: string;
  idempotencyKey: string;
  ours: { status: string; filled: bigint; held: bigint } | null;
  venue: { status: string; filled: bigint } | null;
}

/** Every order of a wallet, as the service has it and as the venue has it. */
export async function compare(user: LiveUser): Promise<ComparedOrder[]> {
  const db = await getDb();
  const ours = await db
    .select({ order: orders, remote: remoteOrders })
    .from(remoteOrders)
    .innerJoin(orders, eq(orders.id, remoteOrders.orderId))
    .where(eq(remoteOrders.userId, user.userId));
  const theirs = await db
    .select()
    .from(orders)
    .where(eq(orders.userId, userIdOf(user.funder)));
  const ids = new Set([
    ...ours.map(({ remote }) => remote.venueOrderId),
    ...theirs.map(({ id }) => id),
  ]);
  return [...ids].map((venueOrderId) => {
    const own = ours.find(({ remote }) => remote.venueOrderId === venueOrderId);
    const venue = theirs.find(({ id }) => id === venueOrderId);
    return {
      venueOrderId,
      idempotencyKey: own ? (JSON.parse(own.order.idempotencyKeyJson) as string) : "",
      ours: own
        ? { status: own.order.status, filled: own.order.filledShares, held: own.order.held }
        : null,
      venue: venue ? { status: venue.status, filled: venue.filledShares } : null,
    };
  });
}

/** Lets the reconciler look until nothing is undecided, or as often as is enough for anything. */
export async function converge(user: LiveUser, rounds = 60): Promise<void> {
  // An account in which nobody waits is looked at seconds later: what was given up may be there.
  await hurry(user.userId);
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

/** What must hold of a wallet after anything: both sides agree, and the books add up. */
export async function disagreements(user: LiveUser): Promise<string[]> {
  const found = await differences(user);
  const { problems } = await verifyBooks();
  return [...found, ...problems];
}

/**
 * What a wallet's two sides differ in: nothing at the venue that we do not know, no key with two
 * orders, and the same end and the same fills on both sides.
 */
export async function differences(user: LiveUser): Promise<string[]> {
  const compared = await compare(user);
  const found: string[] = [];
  const byKey = new Map<string, number>();
  for (const { venueOrderId, idempotencyKey, ours, venue } of compared) {
    if (!ours) found.push(`the venue has ${venueOrderId}, which we do not know`);
    if (venue && venue.status !== "rejected") {
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

/** The ids of a user's fills, which must never repeat a trade. */
export async function fillsOf(user: LiveUser) {
  const db = await getDb();
  return db.select().from(fills).where(eq(fills.userId, user.userId));
}
