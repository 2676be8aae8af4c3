import { z } from "zod";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { pageHref, type PageParams, RANGES } from "@/app/(dashboard)/markets/[slug]/page-url";
import type { PricePoint } from "@/components/charts/chart-scale";
import { EventChart, MOST_SERIES } from "@/components/charts/event-chart";
import { type ChartFill, PriceChart } from "@/components/charts/price-chart";
import { formatPrice, formatShares } from "@/components/format/numbers";
import { EmptyState } from "@/components/ui/states";
import { Tabs } from "@/components/ui/tabs";
import { seenFrom } from "@/lib/domain/trade-tape";
import { PriceHistory } from "@/lib/schemas/markets";
import type { listMarketFills } from "@/lib/services/activity/list-market-fills";
import { getHistory } from "@/lib/services/markets/get-history";
import { showing } from "@/lib/showing";
import { microToNumber } from "@/lib/units";

export type Fills = Awaited<ReturnType<typeof listMarketFills>>;

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
  fills: Fills;
}

/** The outcome's price over time with what the account traded, or its event's outcomes compared. */
export function ChartSection({ loaded, params, fills }: Props) {
  const { market, outcome, header } = loaded;
  // The last day of a market that is over tells least of it.
  const usual = loaded.detail.status === "open" ? RANGES[2] : RANGES[5];
  const chosen = RANGES.find(({ range }) => range === params.range) ?? usual;
  const hasEvent = header.siblings.length > 0;
  const isEvent = hasEvent && params.chart === "event";
  const kinds = [
    { kind: undefined, label: "This market" },
    { kind: "event", label: "All outcomes" },
  ];
  return (
    <section aria-label="Price chart" className="card min-w-0 p-3 sm:p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="text-heading">{isEvent ? "Chances" : `Chance of ${outcome.name}`}</h2>
        {hasEvent && (
          <Tabs
            label="Chart"
            items={kinds.map(({ kind, label }) => ({
              href: pageHref(market.slug, params, { chart: kind }),
              label,
              isCurrent: isEvent === (kind === "event"),
            }))}
          />
        )}
        <Tabs
          label="Period"
          items={RANGES.map(({ range, label }) => ({
            href: pageHref(market.slug, params, { range }),
            label,
            isCurrent: range === chosen.range,
          }))}
        />
      </div>
      {isEvent ? (
        <EventPrices loaded={loaded} range={chosen} />
      ) : (
        <OwnPrices loaded={loaded} range={chosen} fills={fills} />
      )}
    </section>
  );
}

interface PricesProps {
  loaded: LoadedMarket;
  range: (typeof RANGES)[number];
}

async function OwnPrices({ loaded, range, fills }: PricesProps & { fills: Fills }) {
  const { market, outcome, session } = loaded;
  const history = await showing(() =>
    getHistory(session.principal, market.id, { tokenId: outcome.tokenId, interval: range.range }),
  );
  if (!history.isKnown) return <NoPast />;
  const points = pointsOf(history.value);
  return (
    <PriceChart
      points={history.silence ? points : untilNow(points, outcome.price, loaded)}
      fills={fills.map((fill) => toMark(fill, loaded))}
      outcome={outcome.name}
      period={range.period}
    />
  );
}

/** This market and the likeliest others of its event, by the chance of their first outcome. */
async function EventPrices({ loaded, range }: PricesProps) {
  const { market, detail, header, session } = loaded;
  const own = { slug: market.slug, label: market.label ?? market.title, isCurrent: true };
  const chance = detail.outcomes[0].price;
  const others = header.siblings
    .toSorted((a, b) => b.chance - a.chance)
    .slice(0, MOST_SERIES - 1)
    .map((sibling) => ({ ...sibling, isCurrent: false }));
  const shown = [{ ...own, chance }, ...others].toSorted((a, b) => b.chance - a.chance);
  const read = await showing(() =>
    Promise.all(
      shown.map(({ slug }) => getHistory(session.principal, slug, { interval: range.range })),
    ),
  );
  if (!read.isKnown) return <NoPast />;
  const series = read.value.flatMap((history, index) => {
    const one = shown[index];
    const points = pointsOf(history);
    if (!one) return [];
    return [{ ...one, points: read.silence ? points : untilNow(points, one.chance, loaded) }];
  });
  return <EventChart series={series} period={range.period} />;
}

function NoPast() {
  return <EmptyState>Past prices are not available while the exchange isn’t answering.</EmptyState>;
}

function pointsOf(history: z.output<typeof PriceHistory>): PricePoint[] {
  return z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
}

/** A market that trades ends where it stands now: at the chance that the page says everywhere. */
function untilNow(
  points: readonly PricePoint[],
  chance: number,
  { detail }: LoadedMarket,
): readonly PricePoint[] {
  if (detail.status !== "open" || points.length === 0) return points;
  const at = Math.max(Date.now(), points.at(-1)?.at ?? 0);
  return [...points.filter((point) => point.at < at), { at, price: chance }];
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
