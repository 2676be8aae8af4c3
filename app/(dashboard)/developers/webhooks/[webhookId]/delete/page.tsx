import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import WebhookNotFound from "@/app/(dashboard)/developers/webhooks/[webhookId]/not-found";
import { deleteWebhookAction } from "@/app/(dashboard)/developers/webhooks/actions";
import { DeleteWebhookForm } from "@/app/(dashboard)/developers/webhooks/[webhookId]/delete/delete-webhook-form";
import { loadWebhook } from "@/app/(dashboard)/developers/webhooks/load-webhook";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Delete webhook endpoint" };

interface Props {
  params: Promise<{ webhookId: string }>;
}

async function DeleteWebhookPage({ params }: Props) {
  await requireSession();
  const { id, url } = await loadWebhook((await params).webhookId);
  return (
    <div className="mx-auto max-w-160">
      <PageHeader
        title="Delete endpoint"
        description={<span className="font-mono text-small break-all">{url}</span>}
      />
      <DeleteWebhookForm action={deleteWebhookAction} webhookId={id} />
    </div>
  );
}

export default withNotFound(DeleteWebhookPage, WebhookNotFound);
