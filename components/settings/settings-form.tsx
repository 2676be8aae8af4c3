"use client";

import { type ReactNode, useActionState, useState } from "react";
import type { FormState, SectionProps } from "@/components/settings/form-state";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";

/** What the fields of a form need to know of its last attempt. */
interface Attempt {
  errorOf: (field: string) => string | null;
  /** What was typed when it failed, else what is saved. */
  textOf: (field: string, saved: string) => string;
  isOn: (field: string, saved: boolean) => boolean;
}

interface Props extends SectionProps {
  savedText?: string;
  saveLabel?: string;
  children: (attempt: Attempt) => ReactNode;
}

/** A form with its own Save, and its answer beside the button. Nothing is saved by itself. */
export function SettingsForm(props: Props) {
  const { action, isSaved, savedText = "Saved", saveLabel = "Save", children } = props;
  const [state, submit] = useActionState<FormState, FormData>(action, { status: "idle" });
  const [isTouched, setIsTouched] = useState(false);
  const hasSaved = state.status === "done" || (state.status === "idle" && isSaved);
  return (
    <form
      action={submit}
      onChange={() => setIsTouched(true)}
      onSubmit={() => setIsTouched(false)}
      className="flex flex-col gap-5"
    >
      {state.status === "failed" && state.field === null && (
        <Callout tone="danger" role="alert">
          {state.message}
        </Callout>
      )}
      {children(attemptOf(state))}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton tone="primary" pendingLabel="Saving…">
          {saveLabel}
        </SubmitButton>
        <p role="status" className="text-text-2">
          {hasSaved && !isTouched ? savedText : ""}
        </p>
      </div>
    </form>
  );
}

function attemptOf(state: FormState): Attempt {
  if (state.status !== "failed") {
    return { errorOf: () => null, textOf: (_, saved) => saved, isOn: (_, saved) => saved };
  }
  const { field: wrong, message, values } = state;
  return {
    errorOf: (field) => (field === wrong ? message : null),
    textOf: (field, saved) => values[field] ?? saved,
    isOn: (field) => values[field] !== undefined,
  };
}
