"use client";

import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  /** The fields of the form that started the change. */
  fields: Record<string, string>;
}

/** Repeats a change of an order with the same key, so that it continues where it stopped. */
export function RepeatEdit({ action, fields }: Props) {
  const { submit, failure } = useActionForm(action);
  return (
    <form action={submit} className="flex flex-col items-start gap-3">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormFailure failure={failure} />
      <SubmitButton tone="primary" pendingLabel="Checking…">
        Try again
      </SubmitButton>
    </form>
  );
}
