import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";

export default function MarketNotFound() {
  return (
    <>
      <PageHeader title="We can&rsquo;t find this market" />
      <section className="card">
        <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
          Check the address. It could be incomplete or mistyped.
        </EmptyState>
      </section>
    </>
  );
}
