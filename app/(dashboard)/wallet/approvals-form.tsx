"use client";

import { setApprovalsAction } from "@/app/(dashboard)/wallet/actions";
import { PageModeField } from "@/components/shell/page-mode";
import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

/** Sets the missing approvals with one transaction. */
export function ApprovalsForm({ missing }: { missing: number }) {
  const { submit, failure } = useActionForm(setApprovalsAction);
  return (
    <form action={submit} className="flex flex-col gap-3">
      <PageModeField />
      <FormFailure failure={failure} />
      <div>
        <SubmitButton tone="primary" pendingLabel="Sending…">
          Set {missing} missing {missing === 1 ? "approval" : "approvals"}
        </SubmitButton>
      </div>
    </form>
  );
}
