import "server-only";
import { sealSession } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { insertSession } from "@/lib/db/queries/sessions";
import { lockPassword } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { clientAddress } from "@/lib/auth/client-address";

/** The error of every failed sign-in. It doesn't reveal which emails have an account. */
export const createWrongCredentials = () =>
  new AppError("VALIDATION_ERROR", "Email or password is incorrect.", { field: "password" });

/** The client of a sign-in, as its request headers describe it. */
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
 * Starts a new session. Every sign-in gets its own, which prevents session fixation.
 *
 * @param passwordHash the hash that the password was checked against; null for a sign-in without a
 *   password. Throws VALIDATION_ERROR if the password was changed since the check.
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
    // The lock serializes this with a password change, which ends all sessions.
    if (passwordHash !== null && !(await lockPassword(tx, userId, passwordHash))) {
      throw createWrongCredentials();
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
    await recordSecurityEvent(tx, { userId, kind: "signed_in", sessionId, detail });
  });
  return { userId, sessionId, cookie: await sealSession(sessionId, userId) };
}

/** Reads the client's address and user agent from request headers. */
export function readBrowser(headers: Headers): Browser {
  return { address: clientAddress(headers), userAgent: headers.get("user-agent") ?? "" };
}
