"use client";

import { cancelTransactionAction } from "@/app/(dashboard)/_wallet/actions";
import { PageModeField } from "@/components/shell/page-mode";
import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

/** Cancels a wallet transaction that was not submitted. */
export function CancelTransactionForm({ id }: { id: string }) {
  const { submit, failure } = useActionForm(cancelTransactionAction);
  return (
    <form action={submit} className="mt-1 flex flex-col gap-2">
      <PageModeField />
      <input type="hidden" name="id" value={id} />
      <FormFailure failure={failure} />
      <div>
        <SubmitButton tone="secondary" pendingLabel="Canceling…">
          Cancel
        </SubmitButton>
      </div>
    </form>
  );
}
