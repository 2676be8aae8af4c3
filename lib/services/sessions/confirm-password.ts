import "server-only";
import { isRightPassword } from "@/lib/auth/password";
import type { Session } from "@/lib/auth/session";
import { countAddress, countPasswordCheck, forgetPasswordChecks } from "@/lib/auth/sign-in-limit";
import { getDb } from "@/lib/db/client";
import { selectCredentials } from "@/lib/db/queries/users";
import { AppError } from "@/lib/errors";
import { noteEvent } from "@/lib/services/audit/note-event";

/**
 * Proves again who sits at a signed-in browser, before something that a borrowed one must not do.
 * Guesses are counted per session, so that nobody else can use them up.
 */
export async function confirmPassword(
  { id, email, principal }: Session,
  password: string,
  address: string,
): Promise<void> {
  await countAddress(address);
  await countPasswordCheck(id);
  const db = await getDb();
  const found = await selectCredentials(db, email);
  if (!(await isRightPassword(password, found?.passwordHash ?? null))) {
    const { userId } = principal;
    await noteEvent(db, { userId, kind: "password_refused", sessionId: id, detail: { address } });
    throw new AppError("VALIDATION_ERROR", "The current password is not right.", {
      field: "current",
    });
  }
  await forgetPasswordChecks(id);
}
