"use client";

import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  /** The path to open afterwards. */
  next: string;
  proof: FormProof;
}

/** Asks for the second factor of a sign-in. */
export function SignInFactorForm({ action, next, proof }: Props) {
  const { submit, ...form } = useActionForm(action);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      <FormFailure failure={form.failure} />
      <ProofFields proof={proof} form={form} isAlone />
      <SubmitButton tone="primary" size="large" isWide pendingLabel="Signing in…">
        Sign in
      </SubmitButton>
    </form>
  );
}
