"use client";

import { PageModeField } from "@/components/shell/page-mode";
import {
  ConfirmField,
  type FormAction,
  FormFailure,
  useActionForm,
} from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  webhookId: string;
}

/** The form that deletes an endpoint, confirmed by typing a word. */
export function DeleteWebhookForm({ action, webhookId }: Props) {
  const { submit, failure, getError, getText } = useActionForm(action);
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="webhookId" value={webhookId} />
      <Callout tone="danger" title="Its secret and the record of its deliveries are deleted, too.">
        This can&rsquo;t be undone. To stop deliveries for a while, disable the endpoint instead.
      </Callout>
      <FormFailure failure={failure} />
      <ConfirmField
        id="confirm"
        name="confirm"
        word="DELETE"
        typed={getText("confirm")}
        error={getError("confirm")}
      />
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/developers/webhooks/${webhookId}`}>Keep endpoint</ButtonLink>
        <SubmitButton tone="danger" pendingLabel="Deleting…">
          Delete endpoint
        </SubmitButton>
      </div>
    </form>
  );
}
