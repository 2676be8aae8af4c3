import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

export default function WebhookNotFound() {
  const list = <ButtonLink href="/developers/webhooks">Show your endpoints</ButtonLink>;
  return (
    <>
      <PageHeader title="Endpoint not found" />
      <section className="card">
        <EmptyState action={list}>
          This endpoint or delivery was deleted, or it isn&rsquo;t in this account.
        </EmptyState>
      </section>
    </>
  );
}
