"use client";

import { ConfirmField, FormFailure, useActionForm } from "@/components/ui/action-form";
import { resetAction } from "@/app/(dashboard)/wallet/actions";
import { PageModeField } from "@/components/shell/page-mode";
import { SubmitButton } from "@/components/ui/submit-button";

/**
 * The form to reset the paper account, confirmed by a typed word because it can't be undone.
 *
 * @param formKey the idempotency key of this form's reset.
 */
export function ResetForm({ formKey }: { formKey: string }) {
  const { submit, failure, getError, getText } = useActionForm(resetAction);
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <PageModeField />
      <input type="hidden" name="key" value={formKey} />
      <FormFailure failure={failure} />
      <ConfirmField
        id="reset-confirmation"
        name="confirmation"
        word="RESET"
        typed={getText("confirmation")}
        error={getError("confirmation")}
      />
      <div>
        <SubmitButton tone="danger" pendingLabel="Resetting…">
          Reset paper account
        </SubmitButton>
      </div>
    </form>
  );
}
