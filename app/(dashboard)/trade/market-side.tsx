import { z } from "zod";
import { cancelOrderAction } from "@/app/(dashboard)/orders/actions";
import { PriceChart } from "@/components/charts/price-chart";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OrderBook } from "@/components/trading/order-book/order-book";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Session } from "@/lib/auth/session";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { LiveMarket } from "@/lib/schemas/market-pages";
import { PriceHistory } from "@/lib/schemas/markets";
import { getHistory } from "@/lib/markets/get-history";
import { readLiveMarket } from "@/lib/markets/read-live-market";
import { withStaleReads, getDataTime, type VenueOutage } from "@/lib/stale-reads";
import type { Market } from "@/lib/venue/port";

interface Props {
  session: Session;
  found: { market: Market; outcome: OutcomeIndex };
}

/** The last day's prices and the book, beside the ticket. */
export async function MarketSide({ session, found }: Props) {
  const { principal } = session;
  const { market, outcome } = found;
  const { name, tokenId } = market.outcomes[outcome];
  const [live, history] = await Promise.all([
    withStaleReads(async () =>
      z.encode(LiveMarket, await readLiveMarket(principal, market.id, tokenId)),
    ),
    withStaleReads(() => getHistory(principal, market.id, { tokenId, interval: "1d" })),
  ]);
  // An unavailable book must not look like an empty one.
  if (!live.isKnown) return <NoPrices outage={live.outage} />;
  if (live.outage?.since === null) return <NoPrices outage={live.outage} />;
  const initial = { data: live.value, at: getDataTime(live.outage) };
  const outcomes = market.outcomes.map((one) => ({ ...one, href: `/trade?token=${one.tokenId}` }));
  return (
    <LiveMarketProvider marketId={market.id} tokenId={tokenId} initial={initial}>
      {live.outage && <OutageNote outage={live.outage} />}
      <div className="flex flex-col gap-4 [&_figure>div:first-child]:h-40 lg:[&_figure>div:first-child]:h-40">
        <Card title={`${name} in the last day`}>
          {history.isKnown ? (
            <PriceChart
              points={[...toPoints(history.value), { at: initial.at, price: live.value.live.mark }]}
              outcome={name}
              period="the last day"
            />
          ) : (
            <EmptyState>
              Past prices aren’t available while the exchange isn’t responding.
            </EmptyState>
          )}
        </Card>
        <OrderBook outcomes={outcomes} cancelAction={cancelOrderAction} />
      </div>
    </LiveMarketProvider>
  );
}

const NoPrices = ({ outage }: { outage: VenueOutage }) => (
  <OutageCard outage={outage} what="This market’s prices" />
);

function toPoints(history: z.output<typeof PriceHistory>) {
  return z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
}
