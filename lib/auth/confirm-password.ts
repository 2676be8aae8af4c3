import "server-only";
import { isRightPassword } from "@/lib/auth/password";
import type { Session } from "@/lib/auth/session";
import { countAddress, countPasswordCheck } from "@/lib/auth/sign-in-limit";
import { getDb } from "@/lib/db/client";
import { selectCredentials } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";
import { recordSecurityEvent } from "@/lib/auth/security-events";

/**
 * Asks a signed-in user for the password again, before an action that needs more than an open
 * browser. Guesses are counted per session and account, so other callers can't use them up. An empty
 * password is no guess.
 *
 * @throws VALIDATION_ERROR for the field "current", or RATE_LIMITED.
 */
export async function confirmPassword(
  { id, email, principal }: Session,
  password: string,
  address: string,
): Promise<void> {
  if (password === "") {
    throw new AppError("VALIDATION_ERROR", "Enter your password.", { field: "current" });
  }
  await countAddress(address);
  const forgetCheck = await countPasswordCheck({ sessionId: id, email });
  const db = await getDb();
  const found = await selectCredentials(db, email);
  if (!(await isRightPassword(password, found?.passwordHash ?? null))) {
    const { userId } = principal;
    await recordSecurityEvent(db, {
      userId,
      kind: "password_refused",
      sessionId: id,
      detail: { address },
    });
    throw new AppError("VALIDATION_ERROR", "The current password is incorrect.", {
      field: "current",
    });
  }
  await forgetCheck();
}
