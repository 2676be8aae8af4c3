import { z } from "zod";
import { cancelOrderAction } from "@/app/(dashboard)/markets/[slug]/actions";
import { PriceChart } from "@/components/charts/price-chart";
import { LiveMarketProvider } from "@/components/trading/order-book/live-market";
import { OrderBook } from "@/components/trading/order-book/order-book";
import { Card } from "@/components/ui/card";
import type { Session } from "@/lib/auth/session";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { LiveMarket } from "@/lib/schemas/market-pages";
import { PriceHistory } from "@/lib/schemas/markets";
import { getHistory } from "@/lib/services/markets/get-history";
import { readLiveMarket } from "@/lib/services/stream/read-live-market";
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
    readLiveMarket(principal, market.id, tokenId),
    getHistory(principal, market.id, { tokenId, interval: "1d" }),
  ]);
  const points = z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
  const shown = z.encode(LiveMarket, live);
  const now = Date.now();
  const outcomes = market.outcomes.map((one) => ({ ...one, href: `/trade?token=${one.tokenId}` }));
  return (
    <LiveMarketProvider marketId={market.id} tokenId={tokenId} initial={{ data: shown, at: now }}>
      <div className="flex flex-col gap-4 [&_figure>div:first-child]:h-40 lg:[&_figure>div:first-child]:h-40">
        <Card title={`${name} in the last day`}>
          <PriceChart
            points={[...points, { at: now, price: shown.live.mark }]}
            fills={[]}
            outcome={name}
            period="the last day"
          />
        </Card>
        <OrderBook outcomes={outcomes} cancelAction={cancelOrderAction} />
      </div>
    </LiveMarketProvider>
  );
}
