import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

export default function KeyNotFound() {
  return (
    <>
      <PageHeader title="Key not found" />
      <section className="card">
        <EmptyState action={<ButtonLink href="/keys">Show your keys</ButtonLink>}>
          This key is no longer active, or it isn&rsquo;t in your account.
        </EmptyState>
      </section>
    </>
  );
}
