"use client";

import { OwnerPassword } from "@/components/limits/owner-password";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  /** "account", "user", or "key:" with an id. */
  subject: string;
  label: string;
  email: string;
  /** Whether the password is asked for. Nobody knows that of the shared demo account. */
  isConfirmed: boolean;
}

/** Thaws a key, an account or everything. */
export function ThawForm({ action, subject, label, email, isConfirmed }: Props) {
  const { submit, failure, getError } = useActionForm(action);
  const id = `thaw-${subject.replace(":", "-")}`;
  return (
    <form action={submit} className="flex flex-col gap-3">
      <PageModeField />
      <input type="hidden" name="subject" value={subject} />
      <FormFailure failure={failure} />
      {isConfirmed && <OwnerPassword id={id} email={email} error={getError("current")} />}
      <div>
        <SubmitButton tone="primary" pendingLabel="Thawing…">
          {label}
        </SubmitButton>
      </div>
    </form>
  );
}
