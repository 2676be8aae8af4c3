import "server-only";
import { clientAddress } from "@/lib/auth/client-address";
import { sealSession } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { insertSession } from "@/lib/db/queries/sessions";
import { newId } from "@/lib/ids";

/** Where a sign-in comes from, as far as its requests tell. */
export interface Browser {
  address: string;
  userAgent: string;
}

export interface StartedSession {
  userId: string;
  sessionId: string;
  /** The value of the session cookie. */
  cookie: string;
}

/** Opens a new session. Every sign-in gets its own, so none can be planted beforehand. */
export async function startSession(userId: string, browser: Browser): Promise<StartedSession> {
  const sessionId = newId("ses");
  const at = new Date(now());
  await insertSession(await getDb(), {
    id: sessionId,
    userId,
    userAgent: browser.userAgent.slice(0, 300),
    address: browser.address.slice(0, 100),
    createdAt: at,
    lastSeenAt: at,
  });
  return { userId, sessionId, cookie: await sealSession(sessionId, userId) };
}

/** Reads where a request comes from. */
export function browserOf(headers: Headers): Browser {
  return { address: clientAddress(headers), userAgent: headers.get("user-agent") ?? "" };
}
