import "server-only";
import { and, asc, count, eq, gt, inArray, isNull } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { liveWallets, users } from "@/lib/db/schema/accounts";
import { orders } from "@/lib/db/schema/trading";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";

export type LiveWalletRow = typeof liveWallets.$inferSelect;
/**
 * What says whose and which wallet it is. Its secrets are bound to that, and another funder or
 * signature type of the same owner is another account at the venue.
 */
export type LiveWalletIdentity = Pick<
  LiveWalletRow,
  "userId" | "address" | "funderAddress" | "signatureType"
>;

export async function selectLiveWallet(tx: Tx, userId: string): Promise<LiveWalletRow | null> {
  const [row] = await tx.select().from(liveWallets).where(eq(liveWallets.userId, userId));
  return row ?? null;
}

/** Whether another user holds a wallet of that owner. */
export async function isLiveAddressTaken(
  tx: Tx,
  address: string,
  userId: string,
): Promise<boolean> {
  const [row] = await tx
    .select({ userId: liveWallets.userId })
    .from(liveWallets)
    .where(eq(liveWallets.address, address));
  return row !== undefined && row.userId !== userId;
}

/**
 * Locks a user against orders and other changes of the wallet until the transaction ends. Returns
 * whether there is such a user.
 */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, userId))
    .for("update");
  return rows.length === 1;
}

/** How many live orders of a user may still trade, or may have arrived without our knowing. */
export async function countUnsettledLiveOrders(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(orders)
    .where(
      and(
        eq(orders.userId, userId),
        eq(orders.epoch, LIVE_EPOCH),
        inArray(orders.status, [...UNSETTLED_STATUSES]),
      ),
    );
  return row?.total ?? 0;
}

/** Stores a wallet in the place of the one that the user had, if any. */
export async function putLiveWallet(tx: Tx, row: LiveWalletRow): Promise<void> {
  await tx
    .insert(liveWallets)
    .values(row)
    .onConflictDoUpdate({ target: liveWallets.userId, set: row });
}

export async function deleteLiveWallet(tx: Tx, userId: string): Promise<void> {
  await tx.delete(liveWallets).where(eq(liveWallets.userId, userId));
}

/**
 * Stores the credentials of a wallet that has none, if it is still the very wallet that they were
 * sealed for. Returns whether it was.
 */
export async function putLiveCredentials(
  tx: Tx,
  { userId, address, funderAddress, signatureType }: LiveWalletIdentity,
  sealedCredentials: string,
): Promise<boolean> {
  const rows = await tx
    .update(liveWallets)
    .set({ sealedCredentials })
    .where(
      and(
        eq(liveWallets.userId, userId),
        eq(liveWallets.address, address),
        eq(liveWallets.funderAddress, funderAddress),
        eq(liveWallets.signatureType, signatureType),
        isNull(liveWallets.sealedCredentials),
      ),
    )
    .returning({ userId: liveWallets.userId });
  return rows.length === 1;
}

/** Removes the sealed credentials of a live wallet, if they are still those that were read. */
export async function clearLiveCredentials(tx: Tx, userId: string, from: string): Promise<void> {
  await tx
    .update(liveWallets)
    .set({ sealedCredentials: null })
    .where(and(eq(liveWallets.userId, userId), eq(liveWallets.sealedCredentials, from)));
}

/** Live wallets by user, from `after` on. */
export function selectLiveWallets(tx: Tx, after: string, limit: number): Promise<LiveWalletRow[]> {
  return tx
    .select()
    .from(liveWallets)
    .where(gt(liveWallets.userId, after))
    .orderBy(asc(liveWallets.userId))
    .limit(limit);
}

/** Replaces one sealed text of a live wallet, if it is still the one that was read. Returns whether it was. */
export async function replaceLiveSecret(
  tx: Tx,
  secret: "sealedKey" | "sealedCredentials",
  change: { userId: string; from: string; to: string },
): Promise<boolean> {
  const rows = await tx
    .update(liveWallets)
    .set({ [secret]: change.to })
    .where(and(eq(liveWallets.userId, change.userId), eq(liveWallets[secret], change.from)))
    .returning({ userId: liveWallets.userId });
  return rows.length === 1;
}
