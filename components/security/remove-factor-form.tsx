"use client";

import { FactorForm, type FactorFormAction } from "@/components/security/factor-form";
import type { FormProof } from "@/components/security/proof-fields";

interface Props {
  action: FactorFormAction;
  proof: FormProof;
  /** The factor to remove. */
  factorId: string;
}

/** Removes a passkey or the authenticator app. */
export function RemoveFactorForm({ action, proof, factorId }: Props) {
  return (
    <FactorForm
      action={action}
      proof={proof}
      submitLabel="Remove"
      pendingLabel="Removing…"
      tone="danger"
    >
      <input type="hidden" name="factor" value={factorId} />
    </FactorForm>
  );
}
