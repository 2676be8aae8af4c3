import "server-only";
import { and, desc, eq, gt, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import { isIn } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { deleteSubscriptionsOfSessions } from "@/lib/db/queries/push-subscriptions";
import { deleteWaitingSignIns } from "@/lib/db/queries/waiting-sign-ins";
import { users } from "@/lib/db/schema/accounts";
import { sessions } from "@/lib/db/schema/dashboard";

export type SessionRow = typeof sessions.$inferSelect;

interface SessionWithUser {
  session: SessionRow;
  email: string;
  userStatus: "active" | "disabled";
  isLimited: boolean;
}

/** Selects a session with its user, even if it has ended; null if it doesn't exist. */
export async function selectSession(tx: Tx, id: string): Promise<SessionWithUser | null> {
  const [row] = await tx
    .select({
      session: sessions,
      email: users.email,
      userStatus: users.status,
      isLimited: users.isLimited,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, id));
  return row ?? null;
}

export async function insertSession(tx: Tx, row: typeof sessions.$inferInsert): Promise<void> {
  await tx.insert(sessions).values(row);
}

/** Records a use of the session, unless one was recorded after `before`. */
export async function touchSession(tx: Tx, id: string, at: Date, before: Date): Promise<void> {
  await tx
    .update(sessions)
    .set({ lastSeenAt: at })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, before)));
}

/** Selects a user's active sessions, last used first. */
export async function selectActiveSessions(
  tx: Tx,
  userId: string,
  { seenAfter, createdAfter }: { seenAfter: Date; createdAfter: Date },
): Promise<SessionRow[]> {
  return tx
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.endedAt),
        gt(sessions.lastSeenAt, seenAfter),
        gt(sessions.createdAt, createdAfter),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt));
}

/** Returns whether an account has a session from this address since an instant. */
export async function hasSessionFrom(
  tx: Tx,
  { email, address }: { email: string; address: string },
  since: Date,
): Promise<boolean> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(eq(users.email, email), eq(sessions.address, address), gt(sessions.createdAt, since)),
    )
    .limit(1);
  return rows.length > 0;
}

/** Ends one session of a user, with its push subscriptions. Returns false if it was not active. */
export async function endSessionRow(
  tx: Tx,
  userId: string,
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isNull(sessions.endedAt)))
    .returning({ id: sessions.id });
  await deleteSubscriptionsOfSessions(
    tx,
    rows.map((row) => row.id),
  );
  return rows.length === 1;
}

/** Selects the ids of the given sessions that were ended. */
export async function selectEndedSessions(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isIn(sql`${sessions.id}`, ids), isNotNull(sessions.endedAt)));
  return rows.map(({ id }) => id);
}

/**
 * Ends every session of a user except `keepId`, with their push subscriptions, and every sign-in that
 * waits for its second factor.
 */
export async function endSessionRows(
  tx: Tx,
  userId: string,
  { keepId, at }: { keepId: string | null; at: Date },
): Promise<void> {
  const isOther = keepId === null ? undefined : ne(sessions.id, keepId);
  const rows = await tx
    .update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.userId, userId), isOther, isNull(sessions.endedAt)))
    .returning({ id: sessions.id });
  await deleteSubscriptionsOfSessions(
    tx,
    rows.map(({ id }) => id),
  );
  await deleteWaitingSignIns(tx, userId);
}

/** Records that a session proved the second factor. Returns false if it has ended. */
export async function setFactorTime(tx: Tx, id: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(sessions)
    .set({ factorAt: at })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
    .returning({ id: sessions.id });
  return rows.length === 1;
}

/** Makes every session of a user prove the second factor again. */
export async function clearFactorTimes(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ factorAt: null })
    .where(and(eq(sessions.userId, userId), isNotNull(sessions.factorAt)));
}

/** Locks a session until the transaction ends. Returns false if it has ended. */
export async function lockActiveSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isNull(sessions.endedAt)))
    .for("update");
  return rows.length === 1;
}

/** Sets which of the user's accounts a session shows. */
export async function setSessionMode(
  tx: Tx,
  userId: string,
  id: string,
  mode: SessionRow["mode"],
): Promise<void> {
  await tx
    .update(sessions)
    .set({ mode })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)));
}
