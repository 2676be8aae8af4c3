import "server-only";
import { decode, encode } from "next-auth/jwt";
import { type Principal, SCOPES } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectSession, touchSession } from "@/lib/db/queries/sessions";
import { env } from "@/lib/env";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { resolveMode } from "@/lib/venue/modes";

/** A session expires this long after the sign-in. */
export const SESSION_MAX_AGE_S = 30 * 24 * 3600;
/** A session expires this long after its last use. */
export const SESSION_IDLE_MS = 7 * 24 * 3600 * 1000;
/** The last use is recorded to the minute. */
const LAST_SEEN_STEP_MS = 60_000;

/** A user who is signed in with one browser. */
export interface Session {
  id: string;
  email: string;
  principal: Principal;
  /** Whether limits or a freeze may apply to the user. */
  isLimited: boolean;
}

/** Returns the value of the session cookie: an encrypted token with the session's id. */
export function sealSession(sessionId: string, userId: string): Promise<string> {
  return encode({
    token: { sub: userId, sid: sessionId },
    secret: env().NEXTAUTH_SECRET,
    maxAge: SESSION_MAX_AGE_S,
  });
}

/** Returns the session of a cookie's value; null if it is invalid, expired or ended. */
export async function findSession(cookie: string | undefined): Promise<Session | null> {
  const sessionId = await readSessionId(cookie);
  if (sessionId === null) return null;
  const db = await getDb();
  const found = await selectSession(db, sessionId);
  if (!found || found.userStatus !== "active") return null;
  const { session, email, isLimited } = found;
  const at = now();
  const hasEnded =
    session.endedAt !== null ||
    at - session.createdAt.getTime() > SESSION_MAX_AGE_S * 1000 ||
    at - session.lastSeenAt.getTime() > SESSION_IDLE_MS;
  if (hasEnded) return null;
  if (at - session.lastSeenAt.getTime() > LAST_SEEN_STEP_MS) {
    await touchSession(db, session.id, new Date(at), new Date(at - LAST_SEEN_STEP_MS));
  }
  const principal: Principal = {
    userId: session.userId,
    mode: resolveMode(session.mode),
    keyId: null,
    scopes: SCOPES,
    requestId: newId("req"),
  };
  return { id: session.id, email, principal, isLimited };
}

/** Authenticates a request by its session cookie. Throws SESSION_ENDED. */
export async function authenticateSession(request: {
  headers: Pick<Headers, "get">;
}): Promise<Principal> {
  return (await requireRequestSession(request)).principal;
}

/** Returns the session of a request. Throws SESSION_ENDED. */
export async function requireRequestSession(request: {
  headers: Pick<Headers, "get">;
}): Promise<Session> {
  const session = await findSession(findCookie(request.headers.get("cookie"), sessionCookieName()));
  if (!session) throw new AppError("SESSION_ENDED", "Your session has ended. Sign in again.");
  return session;
}

/** Returns the id in a cookie's value; null if it is forged, corrupted or expired. */
export async function readSessionId(cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  try {
    const token = await decode({ token: cookie, secret: env().NEXTAUTH_SECRET });
    return typeof token?.["sid"] === "string" ? token["sid"] : null;
  } catch {
    return null;
  }
}

function findCookie(header: string | null, name: string): string | undefined {
  const pairs = (header ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
