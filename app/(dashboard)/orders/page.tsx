import type { Metadata } from "next";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { CancelNotice } from "@/app/(dashboard)/orders/cancel-notice";
import { HistoryTab } from "@/app/(dashboard)/orders/history-tab";
import { OpenTab } from "@/app/(dashboard)/orders/open-tab";
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
        <HistoryTab principal={principal} query={query} />
      ) : (
        <OpenTab principal={principal} query={query} />
      )}
    </>
  );
}
