"use client";

import {
  ConfirmField,
  type FormAction,
  FormFailure,
  useActionForm,
} from "@/components/ui/action-form";
import { PageModeField } from "@/components/shell/page-mode";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  keyId: string;
  /** The text to type to confirm. */
  word: string;
}

/** The form to revoke a key, confirmed by typing its name. */
export function RevokeKeyForm({ action, keyId, word }: Props) {
  const { submit, failure, getError, getText } = useActionForm(action);
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="keyId" value={keyId} />
      <Callout tone="danger" title="Requests with this key stop working immediately.">
        This can&rsquo;t be undone. To change the key without downtime, rotate it instead.
      </Callout>
      <FormFailure failure={failure} />
      <ConfirmField
        id="name"
        name="name"
        word={word}
        typed={getText("name")}
        error={getError("name")}
      />
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/keys">Keep key</ButtonLink>
        <SubmitButton tone="danger" pendingLabel="Revoking…">
          Revoke key
        </SubmitButton>
      </div>
    </form>
  );
}
