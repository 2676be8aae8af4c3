"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: (state: ActionState, form: FormData) => Promise<ActionState>;
  keyId: string;
  name: string;
}

/** Ends a key once its name was typed. */
export function RevokeKeyForm({ action, keyId, name }: Props) {
  const [state, submit] = useActionState<ActionState, FormData>(action, { status: "idle" });
  const failure = state.status === "failed" ? state : null;
  const error = failure?.field === "name" ? failure.message : null;
  return (
    <form action={submit} className="card flex flex-col gap-5 p-4 sm:p-6">
      <input type="hidden" name="keyId" value={keyId} />
      <Callout tone="danger" title="Requests with this key stop working immediately.">
        This cannot be undone. To replace the key without a gap, rotate it instead.
      </Callout>
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <Field
        label={
          <>
            Type <span className="font-mono">{name}</span> to confirm
          </>
        }
        htmlFor="name"
        error={error}
      >
        <input
          {...describedBy("name", { error })}
          className="control"
          name="name"
          required
          autoComplete="off"
          spellCheck={false}
          defaultValue={failure?.values["name"] ?? ""}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/keys">Keep key</ButtonLink>
        <SubmitButton tone="danger" pendingLabel="Revoking…">
          Revoke key
        </SubmitButton>
      </div>
    </form>
  );
}
