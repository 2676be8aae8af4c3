import "server-only";
import { readProof } from "@/app/_lib/read-proof";
import { findProofNeed, requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";

/**
 * Checks whether a form that changes limits proves its owner. It asks for the proof once something is
 * raised.
 *
 * @returns false if the form has no proof. Throws as `requireFreshFactor` does for a wrong one.
 */
export async function confirmOwner(session: Session, form: FormData): Promise<boolean> {
  const { kind } = await findProofNeed(session, "raise_limit");
  if (kind === "nothing") return true;
  const proof = await readProof(form);
  if (!proof.password && !proof.code && !proof.passkey) return false;
  await requireFreshFactor(session, "raise_limit", proof);
  return true;
}
