import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { type PageQuery, pickParams, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { MarketPicker } from "@/app/(dashboard)/trade/market-picker";
import { OutageCard } from "@/components/system/venue-outage";
import { PageHeader } from "@/components/ui/page-header";
import { buildTicketHref, TICKET_FIELDS } from "@/lib/domain/ticket/href";
import { findMarketByToken } from "@/lib/markets/get-market";
import { withStaleReads } from "@/lib/stale-reads";

export const metadata: Metadata = { title: "Trade" };

interface Props {
  searchParams: Promise<PageQuery>;
}

/** Finds a market to trade. A token leads to the ticket on its market's page, filled in from the URL. */
export default async function TradePage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const asked = await searchParams;
  const query = toSearchParams(asked);
  const token = query.get("token") ?? "";
  const found = await withStaleReads(async () =>
    token === "" ? null : findMarketByToken(principal, token),
  );
  if (!found.isKnown) {
    return (
      <>
        <PageHeader title="Trade" />
        <OutageCard outage={found.outage} what="This market" />
      </>
    );
  }
  if (found.value) {
    redirect(buildTicketHref(found.value.market.slug, pickParams(asked, TICKET_FIELDS)));
  }
  return (
    <>
      <PageHeader
        title="Pick a market to trade"
        description="A price opens the market’s order ticket."
      />
      <MarketPicker principal={principal} search={query.get("q") ?? ""} isUnknown={token !== ""} />
    </>
  );
}
