import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { createWebhookAction } from "@/app/(dashboard)/developers/webhooks/actions";
import { CreateWebhookForm } from "@/app/(dashboard)/developers/webhooks/new/create-webhook-form";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Add webhook endpoint" };

export default async function NewWebhookPage() {
  await requireSession();
  return (
    <div className="mx-auto max-w-160">
      <PageHeader
        title="Add endpoint"
        description="Ante sends it a signed test message first, and events once it acknowledges one."
      />
      <CreateWebhookForm action={createWebhookAction} />
    </div>
  );
}
