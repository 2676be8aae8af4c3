import type { Metadata } from "next";
import { cache } from "react";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { MarketPicker } from "@/app/(dashboard)/trade/market-picker";
import { MarketSide } from "@/app/(dashboard)/trade/market-side";
import { TicketPanel } from "@/app/(dashboard)/trade/ticket-panel";
import { SilentCard } from "@/components/system/venue-silence";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { findMarketByToken } from "@/lib/services/markets/find-by-token";
import { showing } from "@/lib/showing";

interface Props {
  searchParams: Promise<PageQuery>;
}

const findMarket = cache(async (token: string) => {
  const session = await requireSession();
  return showing(async () => (token === "" ? null : findMarketByToken(session.principal, token)));
});

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const found = await findMarket(toSearchParams(await searchParams).get("token") ?? "");
  const market = found.isKnown ? found.value?.market : undefined;
  return { title: market ? `Trade ${market.title}` : "Trade" };
}

/** Everything about an order is in the address, so a filled-in ticket can be linked to. */
export default async function TradePage({ searchParams }: Props) {
  const session = await requireSession();
  const query = toSearchParams(await searchParams);
  const token = query.get("token") ?? "";
  const shown = await findMarket(token);
  if (!shown.isKnown) {
    return (
      <>
        <PageHeader title="Trade" />
        <SilentCard silence={shown.silence} what="This market" />
      </>
    );
  }
  const found = shown.value;
  if (!found) {
    return (
      <>
        <PageHeader title="Trade" description="Search a market to start." />
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
        // On a phone the ticket follows at once, and says it.
        title={<span className="max-lg:sr-only">{found.market.title}</span>}
        actions={<ButtonLink href="/trade">Another market</ButtonLink>}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="min-w-0 max-lg:order-2">
          <MarketSide session={session} found={found} />
        </div>
        <aside aria-label="Order ticket" className="min-w-0 lg:sticky lg:top-[72px]">
          <TicketPanel session={session} market={found.market} query={Object.fromEntries(query)} />
        </aside>
      </div>
    </>
  );
}
