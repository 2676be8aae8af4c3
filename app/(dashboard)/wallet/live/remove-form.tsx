"use client";

import { ConfirmField, FormFailure, useActionForm } from "@/components/ui/action-form";
import { removeWalletAction } from "@/app/(dashboard)/wallet/live/actions";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";

/** The form to delete the wallet's key, confirmed by a typed word because it can't be undone. */
export function RemoveForm({ proof }: { proof: FormProof }) {
  const { submit, ...form } = useActionForm(removeWalletAction);
  const { failure, getError, getText } = form;
  return (
    <form action={submit} noValidate className="flex flex-col gap-5">
      <PageModeField />
      <FormFailure failure={failure} />
      <div className="max-w-sm">
        <ConfirmField
          id="confirmation"
          name="confirmation"
          word="REMOVE"
          typed={getText("confirmation")}
          error={getError("confirmation")}
        />
      </div>
      <ProofFields proof={proof} form={form} />
      <div>
        <ProofSubmit proof={proof} tone="danger" pendingLabel="Removing…">
          Remove wallet
        </ProofSubmit>
      </div>
    </form>
  );
}
