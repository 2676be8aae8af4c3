import "server-only";
import { assertGoodPassword, hashPassword } from "@/lib/auth/password";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { clearFactorTimes, endSessionRows } from "@/lib/db/queries/sessions";
import { updatePassword } from "@/lib/db/queries/users";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { confirmPassword } from "@/lib/auth/confirm-password";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";

export interface PasswordChange {
  current: string;
  password: string;
  /** The second factor, if the session doesn't have a fresh one. */
  factor?: Pick<Proof, "code" | "passkey">;
}

/**
 * Changes the password and ends every other session of the user. Needs the current password and, if
 * one is set up, a fresh second factor, which this session then has to prove again.
 */
export async function changePassword(
  session: Session,
  input: PasswordChange,
  address: string,
): Promise<void> {
  const { email, principal } = session;
  const proof = { ...input.factor, password: input.current, address };
  const admission = await requireFreshFactor(session, "change_password", proof);
  if (admission !== "password") await confirmPassword(session, input.current, address);
  assertGoodPassword(input.password, email);
  const passwordHash = await hashPassword(input.password);
  await withTransaction(async (tx) => {
    await updatePassword(tx, principal.userId, passwordHash);
    await endSessionRows(tx, principal.userId, { keepId: session.id, at: new Date(now()) });
    await clearFactorTimes(tx, principal.userId);
    const { userId } = principal;
    await recordSecurityEvent(tx, { userId, kind: "password_changed", sessionId: session.id });
  });
}
