import "server-only";
import { isRightPassword } from "@/lib/auth/password";
import type { Session } from "@/lib/auth/session";
import { countSignIn, forgetSignIns } from "@/lib/auth/sign-in-limit";
import { getDb } from "@/lib/db/client";
import { selectCredentials } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";

/**
 * Proves again who sits at a signed-in browser, before something that a borrowed one must not do.
 * Tries count as tries to sign in.
 */
export async function confirmPassword(
  { email }: Session,
  password: string,
  address: string,
): Promise<void> {
  await countSignIn(email, address);
  const found = await selectCredentials(await getDb(), email);
  if (!(await isRightPassword(password, found?.passwordHash ?? null))) {
    throw new AppError("VALIDATION_ERROR", "The current password is not right.", {
      field: "current",
    });
  }
  await forgetSignIns(email);
}
