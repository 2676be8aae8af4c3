"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { removeWalletAction } from "@/app/(dashboard)/wallet/live/actions";
import { PasswordField } from "@/app/(dashboard)/wallet/live/password-field";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

/** Deletes the key from the service; the word has to be typed, because nobody can bring it back. */
export function RemoveForm({ email }: { email: string }) {
  const [state, submit] = useActionState<ActionState, FormData>(removeWalletAction, {
    status: "idle",
  });
  const failure = state.status === "failed" ? state : null;
  const error = failure?.field === "confirmation" ? failure.message : null;
  return (
    <form action={submit} className="flex flex-col gap-5">
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <div className="max-w-sm">
        <Field
          label={
            <>
              Type <span className="font-mono">REMOVE</span> to confirm
            </>
          }
          htmlFor="confirmation"
          error={error}
        >
          <input
            {...describedBy("confirmation", { error })}
            name="confirmation"
            autoComplete="off"
            autoCapitalize="characters"
            required
            defaultValue={failure?.values["confirmation"] ?? ""}
            className="control font-mono"
          />
        </Field>
      </div>
      <PasswordField email={email} error={failure?.field === "current" ? failure.message : null} />
      <div>
        <SubmitButton tone="danger" pendingLabel="Removing…">
          Remove wallet
        </SubmitButton>
      </div>
    </form>
  );
}
