import "server-only";
import { assertGoodPassword, hashPassword, isRightPassword } from "@/lib/auth/password";
import { countSignIn } from "@/lib/auth/sign-in-limit";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { endOtherSessionRows } from "@/lib/db/queries/sessions";
import { selectCredentials, updatePassword } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";

export interface PasswordChange {
  current: string;
  password: string;
}

/** Changes the password and ends every other session of the user. */
export async function changePassword(
  session: Session,
  input: PasswordChange,
  address: string,
): Promise<void> {
  const { email, principal } = session;
  await countSignIn(email, address);
  const found = await selectCredentials(await getDb(), email);
  if (!(await isRightPassword(input.current, found?.passwordHash ?? null))) {
    throw new AppError("VALIDATION_ERROR", "The current password is not right.", {
      field: "current",
    });
  }
  assertGoodPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  await withTransaction(async (tx) => {
    await updatePassword(tx, principal.userId, passwordHash);
    await endOtherSessionRows(tx, principal.userId, session.id, new Date(now()));
  });
}
