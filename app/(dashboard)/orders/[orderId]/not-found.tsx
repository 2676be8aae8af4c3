import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

export default function OrderNotFound() {
  return (
    <>
      <PageHeader title="There is no such order" />
      <section className="card">
        <EmptyState action={<ButtonLink href="/orders?tab=history">Show your orders</ButtonLink>}>
          The address names no order of this account. Orders are kept for ever, so it may have been
          cut off or mistyped.
        </EmptyState>
      </section>
    </>
  );
}
