import "server-only";
import { clientAddress } from "@/lib/auth/client-address";
import { sealSession } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { insertSession } from "@/lib/db/queries/sessions";
import { newId } from "@/lib/ids";
import { noteEvent } from "@/lib/services/audit/note-event";

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
  const userAgent = browser.userAgent.slice(0, 300);
  const address = browser.address.slice(0, 100);
  await withTransaction(async (tx) => {
    await insertSession(tx, {
      id: sessionId,
      userId,
      userAgent,
      address,
      createdAt: at,
      lastSeenAt: at,
    });
    const detail = { address, browser: userAgent };
    await noteEvent(tx, { userId, kind: "signed_in", sessionId, detail });
  });
  return { userId, sessionId, cookie: await sealSession(sessionId, userId) };
}

/** Reads where a request comes from. */
export function browserOf(headers: Headers): Browser {
  return { address: clientAddress(headers), userAgent: headers.get("user-agent") ?? "" };
}
