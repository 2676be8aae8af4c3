import "server-only";
import { isRightPassword } from "@/lib/auth/password";
import { hashAccount } from "@/lib/auth/secret-hash";
import { SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { countSignIn, type SignInAttempt } from "@/lib/auth/sign-in-limit";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { hasSessionFrom } from "@/lib/db/queries/sessions";
import { selectCredentials } from "@/lib/db/queries/users";
import { checkSignIn, type Credentials } from "@/lib/domain/credentials";
import { AppError } from "@/lib/errors";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import {
  type Browser,
  createWrongCredentials,
  startSession,
  type StartedSession,
} from "@/lib/auth/start-session";

const MAX_EMAIL_LENGTH = 320;

/**
 * Starts a session for an email and its password. A wrong password, an unknown email and a disabled
 * account fail with the same message after the same time.
 */
export async function signIn(input: Credentials, browser: Browser): Promise<StartedSession> {
  const [missing] = checkSignIn(input);
  if (missing) throw new AppError("VALIDATION_ERROR", missing.message, { field: missing.field });
  // No account has a longer email, and the rate limiter keeps the text in memory.
  const email = input.email.slice(0, MAX_EMAIL_LENGTH).trim().toLowerCase();
  const attempt = { email, address: browser.address };
  const forgetAttempt = await countSignIn(attempt, () => isKnownAddress(attempt));
  const db = await getDb();
  const found = await selectCredentials(db, email);
  const isRight = await isRightPassword(input.password, found?.passwordHash ?? null);
  if (!found || !isRight || found.status !== "active") {
    await recordSecurityEvent(db, {
      userId: found?.userId ?? null,
      kind: "sign_in_failed",
      detail: { address: browser.address.slice(0, 100), account: hashAccount(email) },
    });
    throw createWrongCredentials();
  }
  await forgetAttempt();
  return startSession(found.userId, browser, found.passwordHash);
}

async function isKnownAddress(attempt: SignInAttempt): Promise<boolean> {
  const since = new Date(now() - SESSION_MAX_AGE_S * 1000);
  return hasSessionFrom(await getDb(), attempt, since);
}
