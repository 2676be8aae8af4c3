"use client";

import { unstable_rethrow } from "next/navigation";
import { useActionState, useEffect, useRef, useState } from "react";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { readKeptValues } from "@/lib/domain/form-values";
import type { ErrorCode } from "@/lib/errors";

interface Failure {
  status: "failed";
  code: ErrorCode;
  message: string;
  /** The field of the message, or null. */
  field: string | null;
  /** The typed texts by field, without passwords. */
  values: Record<string, string>;
}

/** The state of a form after its action. */
export type ActionState = { status: "idle" } | { status: "done"; message: string } | Failure;

export type FormAction<State = ActionState> = (state: State, form: FormData) => Promise<State>;

/** The last attempt of a form. */
export interface ActionForm {
  failure: Failure | null;
  /** Returns the message of a field after a failure, or null. */
  getError: (field: string) => string | null;
  /** Returns the typed text of a field after a failure. */
  getText: (field: string, otherwise?: string) => string;
}

const NO_RESPONSE =
  "The service didn’t respond, so we don’t know whether this went through. Check before you try again.";

/** Runs an action of the server. Without a response it fails as a form, so that the page stays. */
async function runWithoutLoss<State>(
  action: FormAction<State | ActionState>,
  state: State | ActionState,
  form: FormData,
): Promise<State | ActionState> {
  try {
    return await action(state, form);
  } catch (error) {
    // A redirect is thrown, too.
    unstable_rethrow(error);
    const values = readKeptValues(form);
    return { status: "failed", code: "INTERNAL_ERROR", message: NO_RESPONSE, field: null, values };
  }
}

/**
 * Connects a form with its server action.
 */
export function useActionForm<State extends { status: string } = ActionState>(
  action: FormAction<State | ActionState>,
): ActionForm & { state: State | ActionState; submit: (form: FormData) => void } {
  const isHydrated = useHydrated();
  // Without JavaScript, the form posts to the action itself.
  const run: typeof action = (before, form) => runWithoutLoss(action, before, form);
  const [state, submit] = useActionState<State | ActionState, FormData>(isHydrated ? run : action, {
    status: "idle",
  });
  const failure = isFailure(state) ? state : null;
  const isCorrected = useCorrection(failure);
  return {
    state,
    submit,
    failure,
    getError: (field: string) =>
      failure?.field === field && !isCorrected ? failure.message : null,
    getText: (field: string, otherwise = "") => failure?.values[field] ?? otherwise,
  };
}

/** Returns whether the field in error was changed since, so that its message no longer applies. */
function useCorrection(failure: Failure | null): boolean {
  const [corrected, setCorrected] = useState<Failure | null>(null);
  useEffect(() => {
    if (failure === null || failure.field === null) return undefined;
    const notice = ({ target }: Event) => {
      if (target instanceof HTMLInputElement && target.name === failure.field)
        setCorrected(failure);
    };
    document.addEventListener("input", notice);
    return () => document.removeEventListener("input", notice);
  }, [failure]);
  return failure !== null && corrected === failure;
}

function isFailure(state: { status: string }): state is Failure {
  return state.status === "failed";
}

/**
 * A failure that belongs to no field, above the fields. After any failure of its form, moves the focus
 * to the field in error, otherwise to itself.
 */
export function FormFailure({ failure }: { failure: Failure | null }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure === null) return;
    const field = place.current?.closest("form")?.querySelector<HTMLElement>("[aria-invalid=true]");
    (field ?? place.current)?.focus();
  }, [failure]);
  const isShown = failure !== null && failure.field === null;
  return (
    <div ref={place} tabIndex={-1} hidden={!isShown}>
      {isShown && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
    </div>
  );
}

interface ConfirmProps {
  id: string;
  name: string;
  /** The word to type. */
  word: string;
  typed: string;
  error: string | null;
}

/** Asks for a word, because the action can't be undone. */
export function ConfirmField({ id, name, word, typed, error }: ConfirmProps) {
  const label = (
    <>
      Type <span className="font-mono">{word}</span> to confirm
    </>
  );
  return (
    <Field label={label} htmlFor={id} error={error}>
      <input
        {...describedBy(id, { error })}
        name={name}
        autoComplete="off"
        autoCapitalize={word === word.toUpperCase() ? "characters" : "none"}
        spellCheck={false}
        required
        defaultValue={typed}
        className="control font-mono"
      />
    </Field>
  );
}
