import "server-only";
import { isRightPassword } from "@/lib/auth/password";
import { countSignIn, forgetSignIns } from "@/lib/auth/sign-in-limit";
import { getDb } from "@/lib/db/client";
import { selectCredentials } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";
import {
  type Browser,
  startSession,
  type StartedSession,
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
  await countSignIn(email, browser.address);
  const found = await selectCredentials(await getDb(), email);
  const isRight = await isRightPassword(input.password, found?.passwordHash ?? null);
  if (!found || !isRight || found.status !== "active") {
    throw new AppError("VALIDATION_ERROR", "Email or password is incorrect.");
  }
  await forgetSignIns(email);
  return startSession(found.userId, browser);
}
