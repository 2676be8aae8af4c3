"use client";

import {
  WebhookFields,
  type WebhookValues,
} from "@/app/(dashboard)/developers/webhooks/webhook-fields";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  webhookId: string;
  values: WebhookValues;
}

/** The form that changes an endpoint. */
export function EditWebhookForm({ action, webhookId, values }: Props) {
  const { submit, ...form } = useActionForm(action);
  return (
    <form action={submit} className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="webhookId" value={webhookId} />
      <FormFailure failure={form.failure} />
      <WebhookFields values={values} {...form} />
      <div className="flex flex-wrap gap-2">
        <SubmitButton tone="primary" pendingLabel="Saving…">
          Save changes
        </SubmitButton>
        <ButtonLink href={`/developers/webhooks/${webhookId}`}>Keep as it is</ButtonLink>
      </div>
    </form>
  );
}
