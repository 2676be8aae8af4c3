import { z } from "zod";
import { cancelOrderAction } from "@/app/(dashboard)/markets/[slug]/actions";
import { PriceChart } from "@/components/charts/price-chart";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OrderBook } from "@/components/trading/order-book/order-book";
import { SilenceNote, SilentCard } from "@/components/system/venue-silence";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Session } from "@/lib/auth/session";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { LiveMarket } from "@/lib/schemas/market-pages";
import { PriceHistory } from "@/lib/schemas/markets";
import { getHistory } from "@/lib/services/markets/get-history";
import { readLiveMarket } from "@/lib/services/stream/read-live-market";
import { showing, shownAt, type Silence } from "@/lib/showing";
import type { Market } from "@/lib/venue/port";

interface Props {
  session: Session;
  found: { market: Market; outcome: OutcomeIndex };
}

/** What one looks at while filling in a ticket: the last day's prices, and the book. */
export async function MarketSide({ session, found }: Props) {
  const { principal } = session;
  const { market, outcome } = found;
  const { name, tokenId } = market.outcomes[outcome];
  const [live, history] = await Promise.all([
    showing(async () => z.encode(LiveMarket, await readLiveMarket(principal, market.id, tokenId))),
    showing(() => getHistory(principal, market.id, { tokenId, interval: "1d" })),
  ]);
  // A book that nobody saw is not the same as an empty one.
  if (!live.isKnown) return <NoPrices silence={live.silence} />;
  if (live.silence?.since === null) return <NoPrices silence={live.silence} />;
  const initial = { data: live.value, at: shownAt(live.silence) };
  const outcomes = market.outcomes.map((one) => ({ ...one, href: `/trade?token=${one.tokenId}` }));
  return (
    <LiveMarketProvider marketId={market.id} tokenId={tokenId} initial={initial}>
      {live.silence && <SilenceNote silence={live.silence} />}
      <div className="flex flex-col gap-4 [&_figure>div:first-child]:h-40 lg:[&_figure>div:first-child]:h-40">
        <Card title={`${name} in the last day`}>
          {history.isKnown ? (
            <PriceChart
              points={[...pointsOf(history.value), { at: initial.at, price: live.value.live.mark }]}
              fills={[]}
              outcome={name}
              period="the last day"
            />
          ) : (
            <EmptyState>
              Past prices are not available while the exchange isn’t answering.
            </EmptyState>
          )}
        </Card>
        <OrderBook outcomes={outcomes} cancelAction={cancelOrderAction} />
      </div>
    </LiveMarketProvider>
  );
}

const NoPrices = ({ silence }: { silence: Silence }) => (
  <SilentCard silence={silence} what="This market’s prices" />
);

function pointsOf(history: z.output<typeof PriceHistory>) {
  return z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
}
