"use client";

import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { PageModeField } from "@/components/shell/page-mode";
import { ButtonLink } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  keyId: string;
  name: string;
}

const HELP = "For example, “Market maker, host 3”.";

/** The form to rename a key. */
export function RenameKeyForm({ action, keyId, name }: Props) {
  const { submit, failure, getError, getText } = useActionForm(action);
  const error = getError("name");
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="keyId" value={keyId} />
      <FormFailure failure={failure} />
      <Field label="Name" htmlFor="name" help={HELP} error={error}>
        <input
          {...describedBy("name", { help: HELP, error })}
          className="control"
          name="name"
          required
          autoComplete="off"
          defaultValue={getText("name", name)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <SubmitButton tone="primary" pendingLabel="Saving…">
          Rename key
        </SubmitButton>
        <ButtonLink href="/keys">Keep name</ButtonLink>
      </div>
    </form>
  );
}
