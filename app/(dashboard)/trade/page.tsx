import type { Metadata } from "next";
import { cache } from "react";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { MarketPicker } from "@/app/(dashboard)/trade/market-picker";
import { MarketSide } from "@/app/(dashboard)/trade/market-side";
import { TicketPanel } from "@/app/(dashboard)/trade/ticket-panel";
import { OutageCard } from "@/components/system/venue-outage";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { PageHeader } from "@/components/ui/page-header";
import { findMarketByToken } from "@/lib/markets/get-market";
import { withStaleReads } from "@/lib/stale-reads";

interface Props {
  searchParams: Promise<PageQuery>;
}

const findMarket = cache(async (token: string) => {
  const session = await requireSession();
  return withStaleReads(async () =>
    token === "" ? null : findMarketByToken(session.principal, token),
  );
});

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const found = await findMarket(toSearchParams(await searchParams).get("token") ?? "");
  const market = found.isKnown ? found.value?.market : undefined;
  return { title: market ? `Trade ${market.title}` : "Trade" };
}

/** The URL has all fields, so that a filled-in ticket can be linked to. */
export default async function TradePage({ searchParams }: Props) {
  const session = await requireSession();
  const query = toSearchParams(await searchParams);
  const token = query.get("token") ?? "";
  const read = await findMarket(token);
  if (!read.isKnown) {
    return (
      <>
        <PageHeader title="Trade" />
        <OutageCard outage={read.outage} what="This market" />
      </>
    );
  }
  const found = read.value;
  if (!found) {
    return (
      <>
        <PageHeader title="Trade" description="Find a market to trade." />
        <MarketPicker
          principal={session.principal}
          search={query.get("q") ?? ""}
          isUnknown={token !== ""}
        />
      </>
    );
  }
  return (
    <>
      <PageHeader
        // On a phone, the ticket below already shows it.
        title={<span className="max-lg:sr-only">{found.market.title}</span>}
        actions={<ButtonLink href="/trade">Change market</ButtonLink>}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="min-w-0 max-lg:order-2">
          <MarketSide session={session} found={found} />
        </div>
        <aside aria-label="Order ticket" className="min-w-0 lg:sticky lg:top-[72px]">
          {found.market.untradable === null ? (
            <TicketPanel
              session={session}
              market={found.market}
              query={Object.fromEntries(query)}
            />
          ) : (
            <Callout tone="warn" title="Not tradable on Ante">
              {found.market.untradable}
            </Callout>
          )}
        </aside>
      </div>
    </>
  );
}
