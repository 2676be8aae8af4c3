import type { Metadata } from "next";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import WebhookNotFound from "@/app/(dashboard)/developers/webhooks/[webhookId]/not-found";
import { rotateWebhookAction } from "@/app/(dashboard)/developers/webhooks/actions";
import { RotateSecretForm } from "@/app/(dashboard)/developers/webhooks/[webhookId]/rotate/rotate-secret-form";
import { loadWebhook } from "@/app/(dashboard)/developers/webhooks/load-webhook";
import { PageHeader } from "@/components/ui/page-header";
import { ShownOncePage } from "@/components/ui/shown-once-page";

export const metadata: Metadata = { title: "Rotate signing secret" };

interface Props {
  params: Promise<{ webhookId: string }>;
}

async function RotateSecretPage({ params }: Props) {
  const session = await requireSession();
  const { id, url } = await loadWebhook((await params).webhookId);
  return (
    <ShownOncePage
      head={
        <PageHeader
          title="Rotate signing secret"
          description={<span className="font-mono text-small break-all">{url}</span>}
        />
      }
    >
      <RotateSecretForm
        action={rotateWebhookAction}
        webhookId={id}
        proof={await loadProof(session, "webhook_secret")}
      />
    </ShownOncePage>
  );
}

export default withNotFound(RotateSecretPage, WebhookNotFound);
