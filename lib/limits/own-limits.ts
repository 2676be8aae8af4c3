import "server-only";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { findProofNeed, requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import type { Limits } from "@/lib/domain/limits";
import { setOwnLimits } from "@/lib/limits/change-limits";
import { thaw } from "@/lib/limits/freeze";
import type { Subject } from "@/lib/limits/subject";

/**
 * Changes limits of a signed-in user. Raising or removing one needs a fresh second factor; lowering needs
 * nothing.
 *
 * @throws VALIDATION_ERROR for the field "current" if a limit is raised and the form has no proof.
 */
export async function changeOwnLimits(
  session: Session,
  change: { subject: Subject; limits: Limits },
  proof: Proof,
): Promise<void> {
  const { userId } = session.principal;
  const isConfirmed = await confirm(session, proof);
  await setOwnLimits({ userId, ...change, isConfirmed, sessionId: session.id });
}

/** Returns false if a proof is needed and missing. Throws as `requireFreshFactor` does for a wrong one. */
async function confirm(session: Session, proof: Proof): Promise<boolean> {
  const { kind } = await findProofNeed(session, "raise_limit");
  if (kind === "nothing") return true;
  if (!proof.password && !proof.code && !proof.passkey) return false;
  await requireFreshFactor(session, "raise_limit", proof);
  return true;
}

/** Thaws what a signed-in user froze, with a fresh second factor. */
export async function thawOwn(session: Session, subject: Subject, proof: Proof): Promise<void> {
  await requireFreshFactor(session, "thaw", proof);
  await thaw({ userId: session.principal.userId, subject, sessionId: session.id });
}
