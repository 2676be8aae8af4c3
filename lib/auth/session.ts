import "server-only";
import { decode, encode } from "next-auth/jwt";
import { type Principal, SCOPES } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectSession, touchSession } from "@/lib/db/queries/sessions";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { ApiRequest } from "@/lib/http/request";
import { offeredMode } from "@/lib/venue/modes";

/** A session ends this long after it began, however much it is used. */
export const SESSION_MAX_AGE_S = 30 * 24 * 3600;
/** And this long after its last use. */
export const SESSION_IDLE_MS = 7 * 24 * 3600 * 1000;
/** Last use is kept to the minute. */
const LAST_SEEN_STEP_MS = 60_000;

/** Who is signed in, and in which browser. */
export interface Session {
  id: string;
  email: string;
  principal: Principal;
}

/** The cookie's value: a token that only this service can make, and that names the session. */
export function sealSession(sessionId: string, userId: string): Promise<string> {
  return encode({
    token: { sub: userId, sid: sessionId },
    secret: env().NEXTAUTH_SECRET,
    maxAge: SESSION_MAX_AGE_S,
  });
}

/** The session that a cookie's value stands for, or null if it does not count any more. */
export async function findSession(cookie: string | undefined): Promise<Session | null> {
  const sessionId = await openSession(cookie);
  if (sessionId === null) return null;
  const db = await getDb();
  const found = await selectSession(db, sessionId);
  if (!found || found.userStatus !== "active") return null;
  const { session, email } = found;
  const at = now();
  const isOver =
    session.endedAt !== null ||
    at - session.createdAt.getTime() > SESSION_MAX_AGE_S * 1000 ||
    at - session.lastSeenAt.getTime() > SESSION_IDLE_MS;
  if (isOver) return null;
  if (at - session.lastSeenAt.getTime() > LAST_SEEN_STEP_MS) {
    await touchSession(db, session.id, new Date(at), new Date(at - LAST_SEEN_STEP_MS));
  }
  const principal: Principal = {
    userId: session.userId,
    mode: offeredMode(session.mode),
    keyId: null,
    scopes: SCOPES,
  };
  return { id: session.id, email, principal };
}

/** Proves who asks from the session cookie of a request. Throws SESSION_ENDED. */
export async function authenticateSession(
  request: Pick<ApiRequest, "headers">,
): Promise<Principal> {
  return (await requireRequestSession(request)).principal;
}

/** The session itself, for what is counted or checked again per session. Throws SESSION_ENDED. */
export async function requireRequestSession(
  request: Pick<ApiRequest, "headers">,
): Promise<Session> {
  const session = await findSession(cookieOf(request.headers.get("cookie"), sessionCookieName()));
  if (!session) throw new AppError("SESSION_ENDED", "Your session has ended. Sign in again.");
  return session;
}

async function openSession(cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null;
  try {
    const token = await decode({ token: cookie, secret: env().NEXTAUTH_SECRET });
    return typeof token?.["sid"] === "string" ? token["sid"] : null;
  } catch {
    // Not ours, changed on the way, or too old.
    return null;
  }
}

function cookieOf(header: string | null, name: string): string | undefined {
  const pairs = (header ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
