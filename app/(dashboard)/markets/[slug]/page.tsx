import type { Metadata } from "next";
import { MergeablePairs } from "@/app/(dashboard)/_positions/mergeable-pairs";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import MarketNotFound from "@/app/(dashboard)/markets/[slug]/not-found";
import { cancelOrderAction } from "@/app/(dashboard)/orders/actions";
import { Candidates } from "@/app/(dashboard)/markets/[slug]/candidates";
import { ChartSection } from "@/app/(dashboard)/markets/[slug]/chart-section";
import { Details } from "@/app/(dashboard)/markets/[slug]/details";
import { MarketHead } from "@/app/(dashboard)/markets/[slug]/head";
import { type LoadedMarket, loadLive, loadMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { Outcome } from "@/app/(dashboard)/markets/[slug]/outcome";
import {
  buildPageHref,
  type PageParams,
  readParams,
  type Tab,
  TABS,
} from "@/app/(dashboard)/markets/[slug]/page-url";
import { TicketPanel } from "@/app/(dashboard)/trade/ticket-panel";
import { formatProbability } from "@/components/format/numbers";
import { OwnActivity } from "@/components/trading/position/own-activity";
import { OwnMarketProvider } from "@/components/trading/order-book/own-market";
import { Shares } from "@/components/format/values";
import { PositionBar, UnknownPosition } from "@/components/trading/position/position-bar";
import { TradeTape } from "@/components/trading/order-book/trade-tape";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OrderBook } from "@/components/trading/order-book/order-book";
import { BuyBar } from "@/components/trading/ticket/buy-bar";
import { PageHeader } from "@/components/ui/page-header";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";
import { mergeOutages, getDataTime, type VenueOutage } from "@/lib/stale-reads";

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
  const winner = detail.outcomes.find(({ tokenId }) => tokenId === detail.winningTokenId);
  // The price of a resolved market is its payout, not a chance.
  const state =
    detail.status === "resolved"
      ? `Resolved: ${winner?.name ?? "50/50"}`
      : `${formatProbability(outcome.price)} ${outcome.name}`;
  return { title: `${state} · ${detail.title}` };
}

async function MarketPage({ params, searchParams }: Props) {
  await requireSession();
  const query = readParams(await searchParams);
  const found = await loadMarket((await params).slug, query.token);
  if (!found.isKnown) return <Unknown outage={found.outage} />;
  const loaded = found.value;
  if (!loaded) notFound();
  const { live, own } = await loadLive(loaded);
  // Without prices, the page shows only the account's activity.
  const bare = { loaded, own };
  if (!live.isKnown) return <WithoutPrices {...bare} outage={live.outage} />;
  const outage = mergeOutages(found.outage, live.outage);
  if (outage?.since === null) return <WithoutPrices {...bare} outage={outage} />;
  const { market, detail, outcome } = loaded;
  const at = getDataTime(outage);
  const tab = TABS.find((name) => name === query.tab) ?? null;
  const isOpen = detail.status === "open";
  return (
    <LiveMarketProvider
      marketId={market.id}
      tokenId={outcome.tokenId}
      initial={{ data: live.value, at }}
    >
      <OwnMarketProvider
        marketId={market.id}
        initial={{ data: own, at, isMarked: outage !== null }}
      >
        {/* The dashboard's layout makes room for three columns. */}
        <div data-wide="" className="flex flex-col gap-4 max-lg:pb-20">
          <MarketHead loaded={loaded} at={at} />
          {outage && <OutageNote outage={outage} />}
          {!isOpen && (
            <Outcome
              loaded={loaded}
              claim={{ isPaid: query.claimed !== undefined, problem: query.problem }}
            />
          )}
          {/* The columns of a grid stay on one page of paper each. */}
          <div className={`grid gap-4 print:block print:space-y-4 ${isOpen ? COLUMNS : ""}`}>
            <div className="flex min-w-0 flex-col gap-4 lg:row-span-2 xl:row-span-1">
              <Candidates loaded={loaded} params={query} />
              {/* The banner of a resolved market has its positions. */}
              {detail.status !== "resolved" && (
                <PositionBar
                  slug={market.slug}
                  tickSize={detail.tickSize}
                  feeRate={detail.feeRate}
                />
              )}
              <ChartSection loaded={loaded} params={query} fills={own.fills} />
              <MergeablePairs principal={loaded.session.principal} marketId={market.id} />
              <Details loaded={loaded} params={query} tab={tab} />
            </div>
            {isOpen ? (
              <BookColumn loaded={loaded} params={query} tab={tab} />
            ) : (
              <TradeTape isClosed />
            )}
            {isOpen && (
              <aside
                aria-label="Order ticket"
                className="min-w-0 max-lg:contents print:hidden lg:col-start-2 lg:row-start-1 xl:col-start-3"
              >
                <div className="max-lg:contents lg:sticky lg:top-[calc(4.5rem+var(--note-height,0px))]">
                  <TicketPanel session={loaded.session} market={market} query={query} />
                </div>
              </aside>
            )}
          </div>
        </div>
        {isOpen && (
          <BuyBar
            slug={market.slug}
            title={detail.title}
            tickSize={detail.tickSize}
            outcomes={market.outcomes}
          />
        )}
      </OwnMarketProvider>
    </LiveMarketProvider>
  );
}

export default withNotFound(MarketPage, MarketNotFound);

/** Book and ticket beside the chart. Without room for three columns, the book is below the ticket. */
const COLUMNS =
  "lg:grid-cols-[minmax(0,1fr)_18.75rem] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(0,1fr)_18.75rem_21.25rem] xl:grid-rows-none";

function Unknown({ outage }: { outage: VenueOutage }) {
  return (
    <>
      <PageHeader title="Market" />
      <OutageCard outage={outage} what="This market" />
    </>
  );
}

interface WithoutPricesProps {
  loaded: LoadedMarket;
  outage: VenueOutage;
  own: OwnMarketWire;
}

function WithoutPrices({ loaded, outage, own }: WithoutPricesProps) {
  const { detail } = loaded;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={detail.title} />
      <OutageCard outage={outage} what="The market’s prices and order book" />
      {own.positions === null ? <UnknownPosition /> : <Held positions={own.positions} />}
      <OwnMarketProvider marketId={detail.id} initial={{ data: own, at: 0, isMarked: true }}>
        <OwnActivity
          tickSize={detail.tickSize}
          outcomes={detail.outcomes.map(({ name, tokenId }) => ({ name, tokenId }))}
          isClosed={detail.status !== "open"}
          cancelAction={cancelOrderAction}
        />
      </OwnMarketProvider>
    </div>
  );
}

/** The positions without prices, which are unknown. */
function Held({ positions }: { positions: NonNullable<OwnMarketWire["positions"]> }) {
  return positions.map(({ id, shares, outcome }) => (
    <p key={id} className="card px-3 py-2 sm:px-4">
      Your position: <Shares shares={shares} /> {outcome}
    </p>
  ));
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
    href: buildPageHref(market.slug, params, { token: tokenId }),
  }));
  const isOnPhone = (name: Tab) => (tab ?? "book") === name;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className={`break-inside-avoid ${isOnPhone("book") ? "" : "max-lg:hidden"}`}>
        <OrderBook outcomes={outcomes} cancelAction={cancelOrderAction} />
      </div>
      <div className={isOnPhone("trades") ? "" : "max-lg:hidden"}>
        <TradeTape />
      </div>
    </div>
  );
}
