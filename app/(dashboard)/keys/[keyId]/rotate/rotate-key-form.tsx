"use client";

import type { ReactNode } from "react";
import { type KeyFormAction, type KeyFormState, OVERLAPS } from "@/app/(dashboard)/keys/key-form";
import { NewKey } from "@/components/keys/new-key";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";

interface Props {
  action: KeyFormAction;
  keyId: string;
  origin: string;
  /** For a live key. */
  proof: FormProof | null;
  /** Stands in for the fields if the key has been replaced. */
  replaced: ReactNode;
}

/** Asks when the old key expires, then shows the new key once. */
export function RotateKeyForm({ action, keyId, origin, proof, replaced }: Props) {
  const { state, submit, ...form } = useActionForm<KeyFormState>(action);
  const { failure, getError, getText } = form;
  if (state.status === "made") {
    return <NewKey apiKey={state.apiKey} name={state.name} note={state.note} origin={origin} />;
  }
  if (replaced) return replaced;
  const chosen = getText("overlap", "24");
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="keyId" value={keyId} />
      <FormFailure failure={failure} />
      <RadioCards legend="When should the old key expire?" error={getError("overlap")}>
        {OVERLAPS.map(({ value, label, help }) => (
          <RadioCard
            key={value}
            name="overlap"
            value={value}
            title={label}
            isChosen={value === chosen}
          >
            {help}
          </RadioCard>
        ))}
      </RadioCards>
      {proof && <ProofFields proof={proof} form={form} />}
      <div className="flex flex-wrap gap-2">
        <ProofSubmit proof={proof} pendingLabel="Rotating…">
          Rotate key
        </ProofSubmit>
        <ButtonLink href="/keys">Keep old key</ButtonLink>
      </div>
    </form>
  );
}
