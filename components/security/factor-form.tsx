"use client";

import type { ReactNode } from "react";
import { NewRecoveryCodes } from "@/components/security/new-recovery-codes";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { type ActionState, FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";

/** The state of a form that can create recovery codes. Only this state contains them. */
export type FactorFormState = ActionState | { status: "made"; codes: readonly string[] };

export type FactorFormAction = (state: FactorFormState, form: FormData) => Promise<FactorFormState>;

interface Props {
  action: FactorFormAction;
  proof: FormProof;
  submitLabel: string;
  pendingLabel: string;
  tone?: "primary" | "danger";
  /** Fields that the user doesn't fill in. */
  children?: ReactNode;
}

/** A step of setting up or removing a second factor. Shows recovery codes if it created some. */
export function FactorForm(props: Props) {
  const { action, proof, submitLabel, pendingLabel, tone = "primary", children } = props;
  const { state, submit, ...form } = useActionForm<FactorFormState>(action);
  if (state.status === "made") return <NewRecoveryCodes codes={state.codes} done="codes" />;
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <FormFailure failure={form.failure} />
      {children}
      <ProofFields proof={proof} form={form} />
      <div className="flex flex-wrap gap-2">
        <ProofSubmit proof={proof} tone={tone} pendingLabel={pendingLabel}>
          {submitLabel}
        </ProofSubmit>
        <ButtonLink href={SECURITY_HREF}>Back to security</ButtonLink>
      </div>
    </form>
  );
}
