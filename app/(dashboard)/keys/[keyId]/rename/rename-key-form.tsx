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

const HELP = "What uses the key, such as “market maker on server 2”.";

/** Asks for a key's new name. */
export function RenameKeyForm({ action, keyId, name }: Props) {
  const [state, submit] = useActionState<ActionState, FormData>(action, { status: "idle" });
  const failure = state.status === "failed" ? state : null;
  const error = failure?.field === "name" ? failure.message : null;
  return (
    <form action={submit} className="card flex flex-col gap-5 p-4 sm:p-6">
      <input type="hidden" name="keyId" value={keyId} />
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <Field label="Name" htmlFor="name" help={HELP} error={error}>
        <input
          {...describedBy("name", { help: HELP, error })}
          className="control"
          name="name"
          required
          autoComplete="off"
          defaultValue={failure?.values["name"] ?? name}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/keys">Keep the name</ButtonLink>
        <SubmitButton pendingLabel="Saving…">Rename key</SubmitButton>
      </div>
    </form>
  );
}
