import type { Metadata } from "next";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { createWebhookAction } from "@/app/(dashboard)/developers/webhooks/actions";
import { CreateWebhookForm } from "@/app/(dashboard)/developers/webhooks/new/create-webhook-form";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Add webhook endpoint" };

export default async function NewWebhookPage() {
  const session = await requireSession();
  return (
    <div className="mx-auto max-w-160">
      <PageHeader
        title="Add endpoint"
        description="Ante sends it a signed test message first, and events once it acknowledges one."
      />
      <CreateWebhookForm
        action={createWebhookAction}
        proof={await loadProof(session, "webhook_secret")}
      />
    </div>
  );
}
