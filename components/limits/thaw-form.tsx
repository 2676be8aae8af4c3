"use client";

import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";

interface Props {
  action: FormAction;
  /** "account", "user", or "key:" with an id. */
  subject: string;
  label: string;
  proof: FormProof;
}

/** Thaws a key, an account or everything. */
export function ThawForm({ action, subject, label, proof }: Props) {
  const { submit, failure, getError } = useActionForm(action);
  const form = { failure, getError };
  return (
    <form action={submit} noValidate className="flex flex-col gap-3">
      <PageModeField />
      <input type="hidden" name="subject" value={subject} />
      <FormFailure failure={failure} />
      <ProofFields proof={proof} form={form} idPrefix={`thaw-${subject.replace(":", "-")}-`} />
      <div>
        <ProofSubmit proof={proof} pendingLabel="Thawing…">
          {label}
        </ProofSubmit>
      </div>
    </form>
  );
}
