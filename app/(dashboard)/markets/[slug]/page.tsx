import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { cancelOrderAction } from "@/app/(dashboard)/markets/[slug]/actions";
import { ChartSection } from "@/app/(dashboard)/markets/[slug]/chart-section";
import { Details } from "@/app/(dashboard)/markets/[slug]/details";
import { MarketHead } from "@/app/(dashboard)/markets/[slug]/head";
import { type LoadedMarket, loadMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { Outcome } from "@/app/(dashboard)/markets/[slug]/outcome";
import {
  pageHref,
  type PageParams,
  readParams,
  type Tab,
  TABS,
} from "@/app/(dashboard)/markets/[slug]/page-url";
import { TicketPanel } from "@/app/(dashboard)/trade/ticket-panel";
import { formatProbability } from "@/components/format/numbers";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OrderBook } from "@/components/trading/order-book/order-book";
import { BuyBar } from "@/components/trading/ticket/buy-bar";
import { LiveMarket } from "@/lib/schemas/market-pages";
import { listMarketFills } from "@/lib/services/activity/list-market-fills";
import { readLiveMarket } from "@/lib/services/stream/read-live-market";

interface Props {
  params: Promise<{ slug: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Own fills that the chart and the list beneath it show. */
const FILLS_SHOWN = 50;

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { token } = readParams(await searchParams);
  const loaded = await loadMarket((await params).slug, token);
  if (!loaded) return { title: "Market not found" };
  const { outcome, detail } = loaded;
  return { title: `${formatProbability(outcome.price)} ${outcome.name} · ${detail.title}` };
}

export default async function MarketPage({ params, searchParams }: Props) {
  await requireSession();
  const query = readParams(await searchParams);
  const loaded = await loadMarket((await params).slug, query.token);
  if (!loaded) notFound();
  const { principal } = loaded.session;
  const { market, detail, outcome } = loaded;
  const [live, fills] = await Promise.all([
    readLiveMarket(principal, market.id, outcome.tokenId),
    listMarketFills(principal, market.id, FILLS_SHOWN),
  ]);
  const now = Date.now();
  const tab = TABS.find((name) => name === query.tab) ?? null;
  const isOpen = detail.status === "open";
  return (
    <LiveMarketProvider
      marketId={market.id}
      tokenId={outcome.tokenId}
      initial={{ data: z.encode(LiveMarket, live), at: now }}
    >
      {/* The shell makes room for three columns, see the dashboard's layout. */}
      <div data-wide="" className="flex flex-col gap-4 max-lg:pb-20">
        <MarketHead loaded={loaded} now={now} />
        {!isOpen && <Outcome loaded={loaded} />}
        <div className={`grid gap-4 ${isOpen ? COLUMNS : ""}`}>
          <div className="flex min-w-0 flex-col gap-4 lg:row-span-2 xl:row-span-1">
            <ChartSection loaded={loaded} params={query} fills={fills} />
            <Details loaded={loaded} params={query} tab={tab} fills={fills} />
          </div>
          {isOpen && <BookColumn loaded={loaded} params={query} tab={tab} />}
          {isOpen && (
            <aside
              aria-label="Order ticket"
              className="min-w-0 max-lg:contents lg:col-start-2 xl:col-start-3 xl:row-start-1"
            >
              <div className="max-lg:contents lg:sticky lg:top-[72px]">
                <TicketPanel session={loaded.session} market={market} query={query} isSheet />
              </div>
            </aside>
          )}
        </div>
      </div>
      {isOpen && (
        <BuyBar title={detail.title} tickSize={detail.tickSize} outcomes={market.outcomes} />
      )}
    </LiveMarketProvider>
  );
}

/** A book and a ticket beside the chart; where three columns have no room, one below the other. */
const COLUMNS = "lg:grid-cols-[minmax(0,1fr)_300px] xl:grid-cols-[minmax(0,1fr)_300px_340px]";

interface BookColumnProps {
  loaded: LoadedMarket;
  params: PageParams;
  tab: Tab | null;
}

function BookColumn({ loaded, params, tab }: BookColumnProps) {
  const { market, detail } = loaded;
  const outcomes = detail.outcomes.map(({ name, tokenId }) => ({
    name,
    tokenId,
    href: pageHref(market.slug, params, { token: tokenId }),
  }));
  const isShownOnPhone = tab === null || tab === "book";
  return (
    <div className={`min-w-0 ${isShownOnPhone ? "" : "max-lg:hidden"}`}>
      <OrderBook outcomes={outcomes} cancelAction={cancelOrderAction} />
    </div>
  );
}
