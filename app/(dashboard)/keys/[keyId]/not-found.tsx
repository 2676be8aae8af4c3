import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

export default function KeyNotFound() {
  return (
    <>
      <PageHeader title="There is no such key" />
      <section className="card">
        <EmptyState action={<ButtonLink href="/keys">Show your keys</ButtonLink>}>
          It has ended, or the address names no key of this account.
        </EmptyState>
      </section>
    </>
  );
}
