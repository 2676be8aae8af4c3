import "server-only";
import { type Session, SESSION_IDLE_MS, SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { endSessionRow, endSessionRows, selectActiveSessions } from "@/lib/db/queries/sessions";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { assertNotShared } from "@/lib/auth/demo-file";

export interface SessionView {
  id: string;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
}

/** Returns the user's active sessions, most recently used first. */
export async function listSessions(userId: string): Promise<SessionView[]> {
  const rows = await selectActiveSessions(await getDb(), userId, {
    seenAfter: new Date(now() - SESSION_IDLE_MS),
    createdAfter: new Date(now() - SESSION_MAX_AGE_S * 1000),
  });
  return rows.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    userAgent,
    address,
    createdAt,
    lastSeenAt,
  }));
}

/**
 * Ends a session of the user. Its cookie stops working with the next request.
 *
 * @param by the session that asked for it; undefined if the session signed itself out.
 */
export async function endSession(userId: string, sessionId: string, by?: string): Promise<void> {
  await withTransaction(async (tx) => {
    if (!(await endSessionRow(tx, userId, sessionId, new Date(now())))) return;
    if (by === undefined) await recordSecurityEvent(tx, { userId, kind: "signed_out", sessionId });
    else {
      const detail = { endedSession: sessionId };
      await recordSecurityEvent(tx, { userId, kind: "session_ended", sessionId: by, detail });
    }
  });
}

/** Signs out another browser of the user. */
export async function endChosenSession(
  { id, principal }: Session,
  sessionId: string,
): Promise<void> {
  await assertNotShared(principal.userId);
  await endSession(principal.userId, sessionId, id);
}

/** Ends all sessions of the user except the given one. */
export async function endOtherSessions({ id, principal }: Session): Promise<void> {
  await assertNotShared(principal.userId);
  const { userId } = principal;
  await withTransaction(async (tx) => {
    await endSessionRows(tx, userId, { keepId: id, at: new Date(now()) });
    await recordSecurityEvent(tx, { userId, kind: "other_sessions_ended", sessionId: id });
  });
}
