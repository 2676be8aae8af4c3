import type { Metadata } from "next";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { CancelNotice } from "@/app/(dashboard)/orders/cancel-notice";
import { OrderHistoryTab } from "@/app/(dashboard)/orders/order-history-tab";
import { OpenOrdersTab } from "@/app/(dashboard)/orders/open-orders-tab";
import { RecordOutage } from "@/app/(dashboard)/record-outage";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";

interface Props {
  searchParams: Promise<PageQuery>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { title: (await searchParams)["tab"] === "history" ? "Order history" : "Open orders" };
}

export default async function OrdersPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const query = toSearchParams(await searchParams);
  const isHistory = query.get("tab") === "history";
  return (
    <>
      <PageHeader title="Orders" />
      <RecordOutage principal={principal} />
      <div className="mb-3">
        <Tabs
          label="Orders"
          items={[
            { href: "/orders", label: "Open", isCurrent: !isHistory },
            { href: "/orders?tab=history", label: "History", isCurrent: isHistory },
          ]}
        />
      </div>
      <CancelNotice query={query} />
      {isHistory ? (
        <OrderHistoryTab principal={principal} query={query} />
      ) : (
        <OpenOrdersTab principal={principal} query={query} />
      )}
    </>
  );
}
