"use client";

import type {
  WebhookFormAction,
  WebhookFormState,
} from "@/app/(dashboard)/developers/webhooks/webhook-form-state";
import { NewSecret } from "@/components/developers/new-secret";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

interface Props {
  action: WebhookFormAction;
  webhookId: string;
  proof: FormProof;
}

/** Replaces the signing secret, then shows the new one once. */
export function RotateSecretForm({ action, webhookId, proof }: Props) {
  const { state, submit, ...form } = useActionForm<WebhookFormState>(action);
  if (state.status === "made") return <NewSecret {...state} />;
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="webhookId" value={webhookId} />
      <FormFailure failure={form.failure} />
      <Callout title="For 24 hours every message has two signatures.">
        Give your receiver the new secret in that time. Messages that are signed with the former one
        stop then. A secret that was rotated out before stops now.
      </Callout>
      <ProofFields proof={proof} form={form} />
      <div className="flex flex-wrap gap-2">
        <ProofSubmit proof={proof} pendingLabel="Rotating…">
          Rotate secret
        </ProofSubmit>
        <ButtonLink href={`/developers/webhooks/${webhookId}`}>Keep secret</ButtonLink>
      </div>
    </form>
  );
}
