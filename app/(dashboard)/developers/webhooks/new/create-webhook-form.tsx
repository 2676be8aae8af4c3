"use client";

import { WebhookFields } from "@/app/(dashboard)/developers/webhooks/webhook-fields";
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

const NOTHING_YET = { url: "", types: null, ordered: true } as const;

interface Props {
  action: WebhookFormAction;
  proof: FormProof;
}

/** The form for a new endpoint, which then shows its signing secret once. */
export function CreateWebhookForm({ action, proof }: Props) {
  const { state, submit, ...form } = useActionForm<WebhookFormState>(action);
  if (state.status === "made") return <NewSecret {...state} />;
  return (
    <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <FormFailure failure={form.failure} />
      <WebhookFields values={NOTHING_YET} {...form} />
      <ProofFields proof={proof} form={form} />
      <div className="flex flex-wrap gap-2">
        <ProofSubmit proof={proof} pendingLabel="Sending a test…">
          Add endpoint
        </ProofSubmit>
        <ButtonLink href="/developers/webhooks">Back to webhooks</ButtonLink>
      </div>
    </form>
  );
}
