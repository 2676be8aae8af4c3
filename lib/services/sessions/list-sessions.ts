import "server-only";
import { SESSION_IDLE_MS, SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectActiveSessions } from "@/lib/db/queries/sessions";

export interface SessionView {
  id: string;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
}

/** Where the user is signed in, last used first. */
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
