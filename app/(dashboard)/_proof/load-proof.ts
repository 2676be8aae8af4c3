import "server-only";
import { headers } from "next/headers";
import { startPasskeyCheckAction } from "@/app/(dashboard)/_proof/actions";
import type { FormProof } from "@/components/security/proof-fields";
import { findPasskeySupport } from "@/lib/auth/second-factor/relying-party";
import { findProofNeed } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import type { GuardedAction } from "@/lib/domain/second-factor";

/** Loads what the form of a guarded action has to ask for, for its `ProofFields`. */
export async function loadProof(session: Session, action: GuardedAction): Promise<FormProof> {
  const need = await findProofNeed(session, action);
  return {
    need,
    email: session.email,
    passkeySupport: findPasskeySupport(await headers()),
    startPasskeyCheck: startPasskeyCheckAction,
  };
}
