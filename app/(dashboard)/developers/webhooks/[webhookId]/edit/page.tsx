import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import WebhookNotFound from "@/app/(dashboard)/developers/webhooks/[webhookId]/not-found";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { editWebhookAction } from "@/app/(dashboard)/developers/webhooks/actions";
import { EditWebhookForm } from "@/app/(dashboard)/developers/webhooks/[webhookId]/edit/edit-webhook-form";
import { loadWebhook } from "@/app/(dashboard)/developers/webhooks/load-webhook";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Change webhook endpoint" };

interface Props {
  params: Promise<{ webhookId: string }>;
}

async function EditWebhookPage({ params }: Props) {
  const session = await requireSession();
  const { id, url, types, ordered } = await loadWebhook((await params).webhookId);
  return (
    <div className="mx-auto max-w-160">
      <PageHeader
        title="Change endpoint"
        description="A new address gets a test message, and events once it acknowledges one."
      />
      <EditWebhookForm
        action={editWebhookAction}
        webhookId={id}
        values={{ url, types, ordered }}
        proof={await loadProof(session, "webhook_address")}
      />
    </div>
  );
}

export default withNotFound(EditWebhookPage, WebhookNotFound);
