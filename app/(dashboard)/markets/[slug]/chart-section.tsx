import { z } from "zod";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { pageHref, type PageParams, RANGES } from "@/app/(dashboard)/markets/[slug]/page-url";
import { type ChartFill, PriceChart } from "@/components/charts/price-chart";
import { formatPrice, formatShares } from "@/components/format/numbers";
import { Tabs } from "@/components/ui/tabs";
import { seenFrom } from "@/lib/domain/trade-tape";
import { PriceHistory } from "@/lib/schemas/markets";
import type { listFills } from "@/lib/services/activity/list-fills";
import { getHistory } from "@/lib/services/markets/get-history";
import { microToNumber } from "@/lib/units";

export type Fills = Awaited<ReturnType<typeof listFills>>["fills"];

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
  fills: Fills;
}

/** The outcome's price over time, with what the account traded. */
export async function ChartSection({ loaded, params, fills }: Props) {
  const { market, outcome, session } = loaded;
  // The last day of a market that is over tells least of it.
  const usual = loaded.detail.status === "open" ? RANGES[2] : RANGES[5];
  const chosen = RANGES.find(({ range }) => range === params.range) ?? usual;
  const history = await getHistory(session.principal, market.id, {
    tokenId: outcome.tokenId,
    interval: chosen.range,
  });
  const points = z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
  return (
    <section aria-label="Price chart" className="card min-w-0 p-3 sm:p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="text-heading">Price of {outcome.name}</h2>
        <Tabs
          label="Period"
          items={RANGES.map(({ range, label }) => ({
            href: pageHref(market.slug, params, { range }),
            label,
            isCurrent: range === chosen.range,
          }))}
        />
      </div>
      <PriceChart
        points={points}
        fills={fills.map((fill) => toMark(fill, loaded))}
        outcome={outcome.name}
        tickSize={loaded.detail.tickSize}
        period={chosen.period}
      />
    </section>
  );
}

/** A fill in the other outcome is drawn where it stands in this one's prices. */
function toMark(fill: Fills[number], { market, outcome, detail }: LoadedMarket): ChartFill {
  const index = fill.tokenId === market.outcomes[0].tokenId ? 0 : 1;
  const own = { action: fill.action, outcome: index, price: fill.price } as const;
  const seen = seenFrom(outcome.tokenId === market.outcomes[0].tokenId ? 0 : 1, own);
  const verb = fill.action === "BUY" ? "Bought" : "Sold";
  const size = formatShares(microToNumber(fill.shares));
  const at = formatPrice(microToNumber(fill.price), detail.tickSize);
  return {
    id: fill.id,
    at: fill.createdAt.getTime(),
    price: microToNumber(seen.price),
    isBuy: seen.action === "BUY",
    label: `${verb} ${size} ${market.outcomes[index].name} at ${at}`,
  };
}
