"use client";

import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

const HELP = "The number of an event. 0 is the start of the account, or of its last reset.";

/** Sends events to an endpoint again. */
export function ReplayForm({ action, webhookId }: { action: FormAction; webhookId: string }) {
  const { state, submit, failure, getError, getText } = useActionForm(action);
  const error = getError("after");
  return (
    <form action={submit} noValidate className="flex flex-col gap-2">
      <PageModeField />
      <input type="hidden" name="webhookId" value={webhookId} />
      <FormFailure failure={failure} />
      <Field label="Replay events after number" htmlFor="after" help={HELP} error={error}>
        <input
          {...describedBy("after", { help: HELP, error })}
          name="after"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={getText("after")}
          className="control max-w-40"
        />
      </Field>
      <p>
        <SubmitButton pendingLabel="Replaying…">Replay</SubmitButton>
      </p>
      {state.status === "done" && <Callout role="status">{state.message}</Callout>}
    </form>
  );
}
