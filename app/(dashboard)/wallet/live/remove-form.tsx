"use client";

import { ConfirmField, FormFailure, useActionForm } from "@/components/ui/action-form";
import { removeWalletAction } from "@/app/(dashboard)/wallet/live/actions";
import { PasswordField } from "@/app/(dashboard)/wallet/live/password-field";
import { PageModeField } from "@/components/shell/page-mode";
import { SubmitButton } from "@/components/ui/submit-button";

/** The form to delete the wallet's key, confirmed by a typed word because it can't be undone. */
export function RemoveForm({ email }: { email: string }) {
  const { submit, failure, getError, getText } = useActionForm(removeWalletAction);
  return (
    <form action={submit} className="flex flex-col gap-5">
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
      <PasswordField email={email} error={getError("current")} />
      <div>
        <SubmitButton tone="danger" pendingLabel="Removing…">
          Remove wallet
        </SubmitButton>
      </div>
    </form>
  );
}
