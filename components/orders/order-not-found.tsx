import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

/** The page of an unknown order, or of another user's. */
export function OrderNotFound() {
  return (
    <>
      <PageHeader title="Order not found" />
      <section className="card">
        <EmptyState action={<ButtonLink href="/orders?tab=history">Show your orders</ButtonLink>}>
          Check the address. We keep orders forever, so the id is probably incomplete or mistyped.
        </EmptyState>
      </section>
    </>
  );
}
