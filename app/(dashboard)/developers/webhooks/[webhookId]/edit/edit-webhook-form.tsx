"use client";

import {
  WebhookFields,
  type WebhookValues,
} from "@/app/(dashboard)/developers/webhooks/webhook-fields";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  webhookId: string;
  values: WebhookValues;
  /** The proof that a new address needs. */
  proof: FormProof;
}

/** The form that changes an endpoint. */
export function EditWebhookForm({ action, webhookId, values, proof }: Props) {
  const { submit, ...form } = useActionForm(action);
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="webhookId" value={webhookId} />
      <FormFailure failure={form.failure} />
      <WebhookFields values={values} {...form} />
      {proof.need.kind !== "nothing" && (
        <div className="flex flex-col gap-3 border-t border-border pt-4">
          <p className="text-text-2">Only a new address needs this:</p>
          <ProofFields proof={proof} form={form} isOptional />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <SubmitButton tone="primary" pendingLabel="Saving…">
          Save changes
        </SubmitButton>
        <ButtonLink href={`/developers/webhooks/${webhookId}`}>Keep as it is</ButtonLink>
      </div>
    </form>
  );
}
