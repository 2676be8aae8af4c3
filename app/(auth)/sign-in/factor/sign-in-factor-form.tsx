"use client";

import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { useOffersPasskey } from "@/components/security/use-offers-passkey";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";

interface Props {
  action: FormAction;
  /** The path to open afterwards. */
  next: string;
  proof: FormProof;
}

/** Asks for the second factor of a sign-in. */
export function SignInFactorForm({ action, next, proof }: Props) {
  const { submit, ...form } = useActionForm(action);
  const offersPasskey = useOffersPasskey(proof);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      <FormFailure failure={form.failure} />
      <ProofFields proof={proof} form={form} isAlone />
      <ProofSubmit proof={proof} size="large" isWide pendingLabel="Signing in…">
        {offersPasskey ? "Sign in with a code" : "Sign in"}
      </ProofSubmit>
    </form>
  );
}
