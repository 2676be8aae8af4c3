"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { resetAction } from "@/app/(dashboard)/wallet/actions";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

/** Starts afresh; the word has to be typed, because what ends is gone from every page. */
export function ResetForm() {
  const [state, submit] = useActionState<ActionState, FormData>(resetAction, { status: "idle" });
  const failure = state.status === "failed" ? state : null;
  const error = failure?.field === "confirmation" ? failure.message : null;
  return (
    <form action={submit} className="flex flex-col gap-4">
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <Field
        label={
          <>
            Type <span className="font-mono">RESET</span> to confirm
          </>
        }
        htmlFor="reset-confirmation"
        error={error}
      >
        <input
          {...describedBy("reset-confirmation", { error })}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="characters"
          required
          defaultValue={failure?.values["confirmation"] ?? ""}
          className="control font-mono"
        />
      </Field>
      <div>
        <SubmitButton tone="danger" pendingLabel="Resetting…">
          Reset paper account
        </SubmitButton>
      </div>
    </form>
  );
}
