import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

export default function RequestNotFound() {
  return (
    <>
      <PageHeader title="Request not found" />
      <section className="card">
        <EmptyState action={<ButtonLink href="/keys?tab=requests">Show requests</ButtonLink>}>
          This request is no longer in the log, or it isn&rsquo;t in your account.
        </EmptyState>
      </section>
    </>
  );
}
