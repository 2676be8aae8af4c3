import "server-only";
import { isRightPassword } from "@/lib/auth/password";
import { hashAccount } from "@/lib/auth/secret-hash";
import { SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { countSignIn, forgetSignIn, type SignInAttempt } from "@/lib/auth/sign-in-limit";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { hasSessionFrom } from "@/lib/db/queries/sessions";
import { selectCredentials } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";
import { noteEvent } from "@/lib/services/audit/note-event";
import {
  type Browser,
  startSession,
  type StartedSession,
  WRONG_CREDENTIALS,
} from "@/lib/services/sessions/start-session";

export interface Credentials {
  email: string;
  password: string;
}

/**
 * Opens a session for the right email and password. A wrong one, an unknown one and a disabled
 * account get the same answer after the same time.
 */
export async function signIn(input: Credentials, browser: Browser): Promise<StartedSession> {
  const email = input.email.trim().toLowerCase();
  const attempt = { email, address: browser.address };
  await countSignIn(attempt, () => isKnownAddress(attempt));
  const db = await getDb();
  const found = await selectCredentials(db, email);
  const isRight = await isRightPassword(input.password, found?.passwordHash ?? null);
  if (!found || !isRight || found.status !== "active") {
    await noteEvent(db, {
      userId: found?.userId ?? null,
      kind: "sign_in_failed",
      detail: { address: browser.address.slice(0, 100), account: hashAccount(email) },
    });
    throw new AppError("VALIDATION_ERROR", WRONG_CREDENTIALS);
  }
  await forgetSignIn(attempt);
  return startSession(found.userId, browser, found.passwordHash);
}

async function isKnownAddress(attempt: SignInAttempt): Promise<boolean> {
  const since = new Date(now() - SESSION_MAX_AGE_S * 1000);
  return hasSessionFrom(await getDb(), attempt, since);
}
