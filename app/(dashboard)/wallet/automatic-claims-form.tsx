"use client";

import { setAutomaticClaimsAction } from "@/app/(dashboard)/wallet/actions";
import { PageModeField } from "@/components/shell/page-mode";
import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

/** Turns automatic claims on or off. */
export function AutomaticClaimsForm({ isOn }: { isOn: boolean }) {
  const { submit, failure } = useActionForm(setAutomaticClaimsAction);
  return (
    <form action={submit} className="flex flex-col gap-3">
      <PageModeField />
      <input type="hidden" name="isOn" value={isOn ? "no" : "yes"} />
      <FormFailure failure={failure} />
      <div>
        <SubmitButton tone={isOn ? "secondary" : "primary"} pendingLabel="Saving…">
          {isOn ? "Turn off automatic claims" : "Claim automatically"}
        </SubmitButton>
      </div>
    </form>
  );
}
