"use client";

import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

interface ApproveProps {
  action: FormAction;
  orderId: string;
  proof: FormProof;
  /** The button's text, such as "Approve and buy". */
  label: string;
}

/** Approves an order that waits. */
export function ApproveForm({ action, orderId, proof, label }: ApproveProps) {
  const { submit, failure, getError } = useActionForm(action);
  return (
    <form action={submit} noValidate className="flex flex-col gap-3">
      <PageModeField />
      <input type="hidden" name="order" value={orderId} />
      <FormFailure failure={failure} />
      <ProofFields proof={proof} form={{ failure, getError }} />
      <ProofSubmit proof={proof} pendingLabel="Approving…" isWide>
        {label}
      </ProofSubmit>
    </form>
  );
}

/** Declines an order that waits. It asks for nothing, because nothing can be lost by it. */
export function DeclineForm({ action, orderId }: Pick<ApproveProps, "action" | "orderId">) {
  const { submit, failure } = useActionForm(action);
  return (
    <form action={submit} className="flex flex-col gap-3">
      <PageModeField />
      <input type="hidden" name="order" value={orderId} />
      <FormFailure failure={failure} />
      <SubmitButton pendingLabel="Declining…" className="w-full">
        Decline
      </SubmitButton>
    </form>
  );
}
