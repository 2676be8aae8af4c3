import "server-only";
import { assertGoodPassword, hashPassword } from "@/lib/auth/password";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { endSessionRows } from "@/lib/db/queries/sessions";
import { updatePassword } from "@/lib/db/queries/users";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { confirmPassword } from "@/lib/auth/confirm-password";
import { assertNotShared } from "@/lib/auth/demo-file";

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
  await assertNotShared(principal.userId);
  await confirmPassword(session, input.current, address);
  assertGoodPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  await withTransaction(async (tx) => {
    await updatePassword(tx, principal.userId, passwordHash);
    await endSessionRows(tx, principal.userId, { keepId: session.id, at: new Date(now()) });
    const { userId } = principal;
    await recordSecurityEvent(tx, { userId, kind: "password_changed", sessionId: session.id });
  });
}
