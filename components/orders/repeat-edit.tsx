"use client";

import { MaskedText } from "@/components/format/masked-text";
import type { EditState } from "@/components/orders/edit-order-form";
import { describeReplacement } from "@/components/orders/replace-report";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction<EditState>;
  /** The new terms: "buy 50 Yes at 37¢". */
  terms: string;
  /** The fields of the form that started the change. */
  fields: Record<string, string>;
}

/** Repeats a change of an order with the same key, so that it continues where it stopped. */
export function RepeatEdit({ action, terms, fields }: Props) {
  const { state, submit, failure } = useActionForm<EditState>(action);
  const report = state.status === "replaced" ? describeReplacement(state.result, terms) : null;
  return (
    <form action={submit} className="flex flex-col items-start gap-3">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormFailure failure={failure} />
      {report && (
        <Callout tone={report.tone} role="alert">
          <MaskedText text={report.text} />
        </Callout>
      )}
      <SubmitButton tone="primary" pendingLabel="Checking…">
        Try again
      </SubmitButton>
    </form>
  );
}
