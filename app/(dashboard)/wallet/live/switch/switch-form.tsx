"use client";

import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";

interface Props {
  action: FormAction;
  proof: FormProof;
}

/** Confirms the switch to real money. */
export function SwitchForm({ action, proof }: Props) {
  const { submit, ...form } = useActionForm(action);
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <FormFailure failure={form.failure} />
      <ProofFields proof={proof} form={form} />
      <div className="flex flex-wrap gap-2">
        <ProofSubmit proof={proof} pendingLabel="Switching…">
          Trade with real money
        </ProofSubmit>
        <ButtonLink href="/">Stay with paper money</ButtonLink>
      </div>
    </form>
  );
}
