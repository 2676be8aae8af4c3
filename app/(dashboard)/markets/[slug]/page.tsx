import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { cancelOrderAction } from "@/app/(dashboard)/markets/[slug]/actions";
import { ChartSection, type Fills } from "@/app/(dashboard)/markets/[slug]/chart-section";
import { Details } from "@/app/(dashboard)/markets/[slug]/details";
import { MarketHead } from "@/app/(dashboard)/markets/[slug]/head";
import { type LoadedMarket, loadLive, loadMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { Outcome } from "@/app/(dashboard)/markets/[slug]/outcome";
import {
  pageHref,
  type PageParams,
  readParams,
  type Tab,
  TABS,
} from "@/app/(dashboard)/markets/[slug]/page-url";
import { YoursTab } from "@/app/(dashboard)/markets/[slug]/yours-tab";
import { TicketPanel } from "@/app/(dashboard)/trade/ticket-panel";
import { formatProbability } from "@/components/format/numbers";
import { SilenceNote, SilentCard } from "@/components/system/venue-silence";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OrderBook } from "@/components/trading/order-book/order-book";
import { BuyBar } from "@/components/trading/ticket/buy-bar";
import { PageHeader } from "@/components/ui/page-header";
import { merge, shownAt, type Silence } from "@/lib/showing";

interface Props {
  params: Promise<{ slug: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { token } = readParams(await searchParams);
  const found = await loadMarket((await params).slug, token);
  if (!found.isKnown) return { title: "Market" };
  if (!found.value) return { title: "Market not found" };
  const { outcome, detail } = found.value;
  return { title: `${formatProbability(outcome.price)} ${outcome.name} · ${detail.title}` };
}

export default async function MarketPage({ params, searchParams }: Props) {
  await requireSession();
  const query = readParams(await searchParams);
  const found = await loadMarket((await params).slug, query.token);
  if (!found.isKnown) return <Unknown silence={found.silence} />;
  const loaded = found.value;
  if (!loaded) notFound();
  const { live, fills } = await loadLive(loaded);
  // Without a single price the market's page shows only what is the account's.
  const bare = { loaded, fills };
  if (!live.isKnown) return <WithoutPrices {...bare} silence={live.silence} />;
  const silence = merge(found.silence, live.silence);
  if (silence?.since === null) return <WithoutPrices {...bare} silence={silence} />;
  const { market, detail, outcome } = loaded;
  const at = shownAt(silence);
  const tab = TABS.find((name) => name === query.tab) ?? null;
  const isOpen = detail.status === "open";
  return (
    <LiveMarketProvider
      marketId={market.id}
      tokenId={outcome.tokenId}
      initial={{ data: live.value, at }}
    >
      {/* The shell makes room for three columns, see the dashboard's layout. */}
      <div data-wide="" className="flex flex-col gap-4 max-lg:pb-20">
        <MarketHead loaded={loaded} at={at} />
        {silence && <SilenceNote silence={silence} />}
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

function Unknown({ silence }: { silence: Silence }) {
  return (
    <>
      <PageHeader title="Market" />
      <SilentCard silence={silence} what="This market" />
    </>
  );
}

interface WithoutPricesProps {
  loaded: LoadedMarket;
  silence: Silence;
  fills: Fills;
}

function WithoutPrices({ loaded, silence, fills }: WithoutPricesProps) {
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={loaded.detail.title} />
      <SilentCard silence={silence} what="Its prices and its book" />
      <YoursTab loaded={loaded} fills={fills} />
    </div>
  );
}

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
