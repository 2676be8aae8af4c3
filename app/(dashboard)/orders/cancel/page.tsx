import type { Metadata } from "next";
import { z } from "zod";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { cancelAllAndReturn } from "@/app/(dashboard)/orders/actions";
import { CancelAllText } from "@/components/orders/cancel-all-text";
import { buildOrdersHref, GROUPING, isGroupedByMarket } from "@/components/orders/group-orders";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/states";
import { PageHeader } from "@/components/ui/page-header";
import { SubmitButton } from "@/components/ui/submit-button";
import { OpenOrdersView } from "@/lib/schemas/dashboard-orders";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";

export const metadata: Metadata = { title: "Cancel orders" };

interface Props {
  searchParams: Promise<PageQuery>;
}

/** The page that confirms canceling all orders, or those of one market. */
export default async function CancelOrdersPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const query = toSearchParams(await searchParams);
  const market = query.get("market") ?? undefined;
  const isGrouped = isGroupedByMarket(query);
  const back = buildOrdersHref("", isGrouped);
  const { totals, markets } = z.encode(
    OpenOrdersView,
    await getOpenOrdersView(principal, { market }),
  );
  const count = totals.count === 1 ? "1 order" : `${totals.count} orders`;
  const title = markets.find(({ id }) => id === market)?.title;
  return (
    <div className="mx-auto max-w-140">
      <PageHeader title={totals.count === 0 ? "Cancel orders" : `Cancel ${count}?`} />
      <section className="card p-4">
        {totals.count === 0 ? (
          <EmptyState action={<ButtonLink href={back}>Back to orders</ButtonLink>}>
            You have no open orders to cancel.
          </EmptyState>
        ) : (
          <form
            action={cancelAllAndReturn.bind(null, principal.mode)}
            className="flex flex-col gap-4"
          >
            <input type="hidden" name="market" value={market ?? ""} />
            <input type="hidden" name="group" value={isGrouped ? GROUPING.group : ""} />
            {title !== undefined && <p className="font-[550]">{title}</p>}
            <CancelAllText totals={totals} />
            <div className="flex flex-wrap gap-2">
              <ButtonLink href={back}>Keep orders</ButtonLink>
              <SubmitButton tone="danger" pendingLabel="Canceling…">
                Cancel {count}
              </SubmitButton>
            </div>
          </form>
        )}
      </section>
    </div>
  );
}
