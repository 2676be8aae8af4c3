import "server-only";
import { clientAddress } from "@/lib/auth/client-address";
import { sealSession } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { insertSession } from "@/lib/db/queries/sessions";
import { lockPassword } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { noteEvent } from "@/lib/services/audit/note-event";

/** The same for whoever is not let in, whatever the reason. */
export const WRONG_CREDENTIALS = "Email or password is incorrect.";

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

/**
 * Opens a new session. Every sign-in gets its own, so none can be planted beforehand.
 *
 * @param passwordHash what was proved. Throws when the password was changed meanwhile.
 */
export async function startSession(
  userId: string,
  browser: Browser,
  passwordHash: string | null = null,
): Promise<StartedSession> {
  const sessionId = newId("ses");
  const at = new Date(now());
  const userAgent = browser.userAgent.slice(0, 300);
  const address = browser.address.slice(0, 100);
  await withTransaction(async (tx) => {
    // A change of the password, which ends all sessions, waits for this one, or this for it.
    if (passwordHash !== null && !(await lockPassword(tx, userId, passwordHash))) {
      throw new AppError("VALIDATION_ERROR", WRONG_CREDENTIALS);
    }
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
