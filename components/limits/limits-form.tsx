"use client";

import type { ReactNode } from "react";
import { LimitFields } from "@/components/limits/limit-fields";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import type { LimitTexts } from "@/lib/domain/limit-texts";

interface Props {
  action: FormAction;
  /** "account", or "key:" with an id. */
  subject: string;
  texts: LimitTexts;
  /** Whether the subject is a key that places no orders. */
  isReading?: boolean;
  proof: FormProof;
  /** Shown after the button. */
  children?: ReactNode;
}

const PROOF_FIELDS: readonly string[] = ["current", "code", "passkey"];

/** The form to change limits. It asks for the owner's proof once something is raised or removed. */
export function LimitsForm(props: Props) {
  const { action, subject, texts, isReading = false, proof, children } = props;
  const attempt = useActionForm(action);
  const { submit, failure, getError } = attempt;
  // The fields stay while they are filled in, although the error goes.
  const isUnconfirmed = PROOF_FIELDS.includes(failure?.field ?? "");
  const form = { failure, getError: (field: string) => getError(field) ?? getError("current") };
  return (
    <form action={submit} noValidate data-printed-fields="" className="flex flex-col gap-5">
      <PageModeField />
      <input type="hidden" name="subject" value={subject} />
      <FormFailure failure={failure} />
      <LimitFields
        attempt={attempt}
        texts={texts}
        whose={subject === "account" ? "account" : "key"}
        isReading={isReading}
      />
      {isUnconfirmed && <ProofFields proof={proof} form={form} idPrefix="raise-" />}
      <div className="flex flex-wrap gap-2">
        <ProofSubmit proof={isUnconfirmed ? proof : null} pendingLabel="Saving…">
          Save limits
        </ProofSubmit>
        {children}
      </div>
    </form>
  );
}
