import type { Metadata } from "next";
import { z } from "zod";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { writeReceived } from "@/app/docs/_lib/receivers";
import { requireSession } from "@/app/_lib/require-session";
import { DeveloperTabs } from "@/app/(dashboard)/developers/developer-tabs";
import { WebhookTable } from "@/components/developers/webhook-table";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import { WebhookList } from "@/lib/schemas/webhooks";
import { listWebhooks } from "@/lib/webhooks/manage-webhooks";

export const metadata: Metadata = { title: "Webhooks" };

interface Props {
  searchParams: Promise<PageQuery>;
}

export default async function WebhooksPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const query = toSearchParams(await searchParams);
  const { webhooks } = z.encode(WebhookList, await listWebhooks(principal));
  const create = (
    <ButtonLink tone="primary" href="/developers/webhooks/new">
      Add endpoint
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Your server gets every event of this account, signed, and in order."
        actions={
          <>
            <ButtonLink href="/docs/webhooks#createWebhook">API reference</ButtonLink>
            {create}
          </>
        }
      />
      <DeveloperTabs current="webhooks" />
      <div className="flex flex-col gap-4">
        {query.has("deleted") && (
          <Callout tone="success" role="status">
            The endpoint is deleted. It gets nothing more.
          </Callout>
        )}
        <Card isFlush title="Endpoints">
          {webhooks.length === 0 ? (
            <EmptyState action={create}>
              No endpoints yet. Add the address of your server to get orders, fills and balances as
              they change.
            </EmptyState>
          ) : (
            <WebhookTable webhooks={webhooks} />
          )}
        </Card>
        {webhooks.length === 0 && <SampleMessage />}
      </div>
    </>
  );
}

/** Shows a newcomer what an endpoint gets. */
function SampleMessage() {
  return (
    <Card title="What your server gets">
      <div className="flex flex-col gap-3">
        <p className="text-text-2">
          One request per event. The signature proves that it comes from Ante:{" "}
          <a href="/docs/receiving-webhooks#verify" className="link">
            verify it in your server
          </a>
          .
        </p>
        <CodeBlock
          title="Sample request"
          label="a sample request"
          code={writeReceived()}
          isWrapped
        />
      </div>
    </Card>
  );
}
