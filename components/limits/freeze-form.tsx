"use client";

import type { ReactNode } from "react";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  /** "account", "user", or "key:" with an id. */
  subject: string;
  label: string;
  /** A sentence about the effect. */
  children: ReactNode;
}

/** Freezes a key, an account or everything. Undone by thawing, so it asks for nothing. */
export function FreezeForm({ action, subject, label, children }: Props) {
  const { submit, failure, getError, getText } = useActionForm(action);
  const id = `reason-${subject.replace(":", "-")}`;
  const error = getError("reason");
  return (
    <form action={submit} className="flex flex-col gap-3">
      <PageModeField />
      <input type="hidden" name="subject" value={subject} />
      <FormFailure failure={failure} />
      <p className="text-text-2">{children}</p>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 grow sm:max-w-72">
          <Field label="Reason (optional)" htmlFor={id} error={error}>
            <input
              {...describedBy(id, { error })}
              name="reason"
              maxLength={200}
              autoComplete="off"
              defaultValue={getText("reason")}
              className="control"
            />
          </Field>
        </div>
        <SubmitButton tone="danger" pendingLabel="Freezing…">
          {label}
        </SubmitButton>
      </div>
    </form>
  );
}
