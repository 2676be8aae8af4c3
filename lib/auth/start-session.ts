import "server-only";
import { sealSession } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { insertSession } from "@/lib/db/queries/sessions";
import { lockPassword } from "@/lib/db/queries/users";
import {
  deleteWaitingSignInsBefore,
  insertWaitingSignIn,
  type WaitingSignInRow,
} from "@/lib/db/queries/waiting-sign-ins";
import type { Tx } from "@/lib/db/database";
import { hasFactor } from "@/lib/auth/has-factor";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { clientAddress } from "@/lib/auth/client-address";

/** The error of every failed sign-in. It doesn't reveal which emails have an account. */
export const createWrongCredentials = () =>
  new AppError("VALIDATION_ERROR", "Email or password is incorrect.", { field: "password" });

/** How long a sign-in waits for the second factor. */
export const WAITING_MS = 10 * 60_000;

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
  /** Whether the second factor is still missing. The cookie then opens nothing but its page. */
  isWaiting: boolean;
}

/**
 * Starts a new session, or a sign-in that waits for the user's second factor. Every sign-in gets its
 * own, which prevents session fixation.
 *
 * @param passwordHash the hash that the password was checked against; null for a sign-in without a
 *   password. Throws VALIDATION_ERROR if the password was changed since the check.
 */
export async function startSession(
  userId: string,
  browser: Browser,
  passwordHash: string | null = null,
): Promise<StartedSession> {
  const at = new Date(now());
  const userAgent = browser.userAgent.slice(0, 300);
  const address = browser.address.slice(0, 100);
  const started = await withTransaction(async (tx) => {
    // The lock serializes this with a password change, which ends all sessions.
    if (passwordHash !== null && !(await lockPassword(tx, userId, passwordHash))) {
      throw createWrongCredentials();
    }
    const isWaiting = await hasFactor(tx, userId);
    const sessionId = newId(isWaiting ? "sgn" : "ses");
    const row = { id: sessionId, userId, userAgent, address, createdAt: at };
    if (isWaiting) await insertWaiting(tx, row);
    else await insertSession(tx, { ...row, lastSeenAt: at });
    const kind = isWaiting ? "factor_asked" : "signed_in";
    const detail = { address, browser: userAgent };
    await recordSecurityEvent(tx, { userId, kind, sessionId, detail });
    return { sessionId, isWaiting };
  });
  return { userId, ...started, cookie: await sealSession(started.sessionId, userId) };
}

/** Stores a sign-in without its second factor, and deletes those that waited too long. */
async function insertWaiting(tx: Tx, row: WaitingSignInRow): Promise<void> {
  await deleteWaitingSignInsBefore(tx, new Date(now() - WAITING_MS));
  await insertWaitingSignIn(tx, row);
}

/** Reads the client's address and user agent from request headers. */
export function readBrowser(headers: Headers): Browser {
  return { address: clientAddress(headers), userAgent: headers.get("user-agent") ?? "" };
}
