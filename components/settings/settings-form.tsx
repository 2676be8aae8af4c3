"use client";

import { type ReactNode, useState } from "react";
import type { FormProof } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import {
  type ActionForm,
  type FormAction,
  FormFailure,
  useActionForm,
} from "@/components/ui/action-form";

/** The last attempt to save, for the fields of the form. */
interface Attempt extends Pick<ActionForm, "failure"> {
  getError: (field: string) => string | null;
  /** Returns the typed text after a failure, otherwise the saved value. */
  getText: (field: string, saved: string) => string;
  isOn: (field: string, saved: boolean) => boolean;
}

/** The props of every form of the settings page. */
export interface SectionProps {
  action: FormAction;
  /** Whether the section was just saved without JavaScript. */
  isSaved: boolean;
}

interface Props extends SectionProps {
  savedText?: string;
  saveLabel?: string;
  /** Whether its fields are secrets, which paper doesn't show. */
  isSecret?: boolean;
  /** The proof that `children` asks for; null without one. */
  proof?: FormProof | null;
  children: (attempt: Attempt) => ReactNode;
}

/** A form with its own Save button and the result beside it. */
export function SettingsForm(props: Props) {
  const { action, isSaved, savedText = "Saved", saveLabel = "Save", children } = props;
  const { isSecret = false, proof = null } = props;
  const { state, submit, failure, getError, getText } = useActionForm(action);
  const [isTouched, setIsTouched] = useState(false);
  const hasSaved = state.status === "done" || (state.status === "idle" && isSaved);
  return (
    <form
      noValidate
      data-printed-fields=""
      action={submit}
      onChange={() => setIsTouched(true)}
      onSubmit={() => setIsTouched(false)}
      className={`flex flex-col gap-5 ${isSecret ? "print:hidden" : ""}`}
    >
      <PageModeField />
      <FormFailure failure={failure} />
      {children({
        failure,
        getError,
        getText,
        isOn: (field, saved) => (failure ? failure.values[field] !== undefined : saved),
      })}
      <div className="flex flex-wrap items-center gap-3">
        <ProofSubmit proof={proof} pendingLabel="Saving…">
          {saveLabel}
        </ProofSubmit>
        <p role="status" className="text-text-2">
          {hasSaved && !isTouched ? savedText : ""}
        </p>
      </div>
    </form>
  );
}
