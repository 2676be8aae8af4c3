import "server-only";
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { Tx } from "@/lib/db/database";
import { liveWallets, users } from "@/lib/db/schema/accounts";
import { orders } from "@/lib/db/schema/trading";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import type { SessionKey } from "@/lib/domain/session-key";
import { LIVE_EPOCH, external, held, USDC } from "@/lib/ledger/accounts";
import { selectRows } from "@/lib/db/client";

export type LiveWalletRow = typeof liveWallets.$inferSelect;
/**
 * The fields that identify a wallet. Its secrets are bound to them. Another funder or signature type
 * of the same owner is another account at the venue. The end of a session key is one of them, so that a
 * changed row cannot extend it.
 */
export type LiveWalletIdentity = Pick<
  LiveWalletRow,
  "userId" | "address" | "funderAddress" | "signatureType" | "sessionExpiresAt"
>;

/** Returns what a wallet's session key may do and until when; null if its key is the owner's. */
export function toSessionKey({
  sessionScopes,
  sessionExpiresAt,
}: Pick<LiveWalletRow, "sessionScopes" | "sessionExpiresAt">): SessionKey | null {
  return sessionScopes === null || sessionExpiresAt === null
    ? null
    : { scopes: sessionScopes, expiresAt: sessionExpiresAt };
}

const liveWallet = prepareOnce((tx) =>
  tx
    .select()
    .from(liveWallets)
    .where(eq(liveWallets.userId, sql.placeholder("userId")))
    .prepare("live_wallet"),
);

export async function selectLiveWallet(tx: Tx, userId: string): Promise<LiveWalletRow | null> {
  const [row] = await liveWallet(tx).execute({ userId });
  return row ?? null;
}

/** Selects any user whose live wallet has API credentials of the venue; null without one. */
export async function selectUserWithCredentials(tx: Tx): Promise<string | null> {
  const [row] = await tx
    .select({ userId: liveWallets.userId })
    .from(liveWallets)
    .where(isNotNull(liveWallets.sealedCredentials))
    .limit(1);
  return row?.userId ?? null;
}

/** Whether another user has imported a wallet of this owner address. */
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
 * Locks a user until the transaction ends, so that no order is placed and no other change of the
 * wallet runs. Returns whether the user exists.
 */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, userId))
    .for("update");
  return rows.length === 1;
}

/** Counts a user's live orders that may still trade, including those with an unknown outcome. */
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

/** Stores a user's wallet. Replaces the former one, if any. */
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
 * Stores the credentials of a wallet, if it has none and is still the wallet for which they were
 * sealed. Returns whether they were stored.
 */
export async function putLiveCredentials(
  tx: Tx,
  { userId, address, funderAddress, signatureType, sessionExpiresAt }: LiveWalletIdentity,
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
        sessionExpiresAt === null
          ? isNull(liveWallets.sessionExpiresAt)
          : eq(liveWallets.sessionExpiresAt, sessionExpiresAt),
        isNull(liveWallets.sealedCredentials),
      ),
    )
    .returning({ userId: liveWallets.userId });
  return rows.length === 1;
}

/** Removes the sealed credentials of a live wallet, if they still equal `from`. */
export async function clearLiveCredentials(tx: Tx, userId: string, from: string): Promise<void> {
  await tx
    .update(liveWallets)
    .set({ sealedCredentials: null })
    .where(and(eq(liveWallets.userId, userId), eq(liveWallets.sealedCredentials, from)));
}

/** Selects the wallets whose session key ends by `until`, without those that had their last notice. */
export function selectEndingKeys(tx: Tx, until: Date): Promise<LiveWalletRow[]> {
  return tx
    .select()
    .from(liveWallets)
    .where(
      and(
        lte(liveWallets.sessionExpiresAt, until),
        or(isNull(liveWallets.sessionNotice), ne(liveWallets.sessionNotice, "expired")),
      ),
    )
    .orderBy(asc(liveWallets.sessionExpiresAt));
}

/**
 * Records a notice about the end of a session key. Returns false if the wallet has another key now, or
 * if another process recorded the notice.
 */
export async function updateSessionNotice(
  tx: Tx,
  { userId, address, sessionExpiresAt, sessionNotice }: LiveWalletRow,
  notice: "expiring" | "expired",
): Promise<boolean> {
  if (sessionExpiresAt === null) return false;
  const rows = await tx
    .update(liveWallets)
    .set({ sessionNotice: notice })
    .where(
      and(
        eq(liveWallets.userId, userId),
        eq(liveWallets.address, address),
        eq(liveWallets.sessionExpiresAt, sessionExpiresAt),
        sessionNotice === null
          ? isNull(liveWallets.sessionNotice)
          : eq(liveWallets.sessionNotice, sessionNotice),
      ),
    )
    .returning({ userId: liveWallets.userId });
  return rows.length === 1;
}

/** Selects live wallets by user id, after the user `after`. */
export function selectLiveWallets(tx: Tx, after: string, limit: number): Promise<LiveWalletRow[]> {
  return tx
    .select()
    .from(liveWallets)
    .where(gt(liveWallets.userId, after))
    .orderBy(asc(liveWallets.userId))
    .limit(limit);
}

/** Replaces a secret of a live wallet, if it still equals `from`. Returns whether it was replaced. */
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

/**
 * Returns a version of a live account that changes whenever a process of this service reserves,
 * releases or trades its cash; every fill does. The query reads two rows by primary key.
 */
export async function selectLiveVersion(tx: Tx, userId: string): Promise<string> {
  const owner = { userId, epoch: LIVE_EPOCH };
  const [row] = await selectRows<{ version: string }>(
    tx,
    sql`select concat_ws('/',
        (select xmin::text from ledger_accounts where id = ${external(owner).id}),
        (select xmin::text from ledger_accounts where id = ${held(owner, USDC).id})) as version`,
  );
  return row?.version ?? "";
}
