import type { Metadata } from "next";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { createWebhookAction } from "@/app/(dashboard)/developers/webhooks/actions";
import { CreateWebhookForm } from "@/app/(dashboard)/developers/webhooks/new/create-webhook-form";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { ShownOncePage } from "@/components/ui/shown-once-page";

export const metadata: Metadata = { title: "Add webhook endpoint" };

export default async function NewWebhookPage() {
  const session = await requireSession();
  return (
    <ShownOncePage
      head={
        <PageHeader
          title="Add endpoint"
          description="Ante sends it a signed test message first, and events once it acknowledges one."
          actions={<ButtonLink href="/docs/receiving-webhooks">How to receive them</ButtonLink>}
        />
      }
    >
      <CreateWebhookForm
        action={createWebhookAction}
        proof={await loadProof(session, "webhook_secret")}
      />
    </ShownOncePage>
  );
}
