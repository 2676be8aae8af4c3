import { z } from "zod";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { buildPageHref, type PageParams, RANGES } from "@/app/(dashboard)/markets/[slug]/page-url";
import { EventChart, MOST_SERIES } from "@/components/charts/event-chart";
import { type ChartFill, PriceChart } from "@/components/charts/price-chart";
import type { PricePoint } from "@/components/charts/price-points";
import { formatPrice, formatShares } from "@/components/format/numbers";
import { EmptyState } from "@/components/ui/states";
import { Tabs } from "@/components/ui/tabs";
import { toOutcomeSide } from "@/lib/domain/trade-tape";
import { PriceHistory } from "@/lib/schemas/markets";
import type { listMarketFills } from "@/lib/activity/list-market-fills";
import { getHistory } from "@/lib/markets/get-history";
import { withStaleReads } from "@/lib/stale-reads";
import { microToNumber } from "@/lib/units";

export type Fills = Awaited<ReturnType<typeof listMarketFills>>;

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
  fills: Fills;
}

/** The outcome's price over time with the account's fills, or a comparison of the event's outcomes. */
export function ChartSection({ loaded, params, fills }: Props) {
  const { market, outcome, header } = loaded;
  // The last day of a closed market is the least interesting.
  const usual = loaded.detail.status === "open" ? RANGES[2] : RANGES[5];
  const chosen = RANGES.find(({ range }) => range === params.range) ?? usual;
  const hasEvent = header.event.length > 0;
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
              href: buildPageHref(market.slug, params, { chart: kind }),
              label,
              isCurrent: isEvent === (kind === "event"),
            }))}
          />
        )}
        <Tabs
          label="Period"
          items={RANGES.map(({ range, label }) => ({
            href: buildPageHref(market.slug, params, { range }),
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
  const history = await withStaleReads(() =>
    getHistory(session.principal, market.id, { tokenId: outcome.tokenId, interval: range.range }),
  );
  if (!history.isKnown) return <NoPast />;
  const points = toPoints(history.value);
  return (
    <PriceChart
      points={history.outage ? points : untilNow(points, outcome.price, loaded)}
      fills={fills.map((fill) => toMark(fill, loaded))}
      outcome={outcome.name}
      period={range.period}
    />
  );
}

/** The chances of this market and of the likeliest others of its event. */
async function EventPrices({ loaded, range }: PricesProps) {
  const { market, header, session } = loaded;
  const lines = header.event.map(({ slug, label, title, chance }) => ({
    slug,
    label: label ?? title,
    chance,
    isCurrent: slug === market.slug,
  }));
  const current = lines.filter(({ isCurrent }) => isCurrent);
  const others = lines.filter(({ isCurrent }) => !isCurrent).slice(0, MOST_SERIES - 1);
  const shown = [...current, ...others].toSorted((a, b) => b.chance - a.chance);
  const read = await withStaleReads(() =>
    Promise.all(
      shown.map(({ slug }) => getHistory(session.principal, slug, { interval: range.range })),
    ),
  );
  if (!read.isKnown) return <NoPast />;
  const series = read.value.flatMap((history, index) => {
    const one = shown[index];
    const points = toPoints(history);
    if (!one) return [];
    return [{ ...one, points: read.outage ? points : untilNow(points, one.chance, loaded) }];
  });
  return <EventChart series={series} period={range.period} />;
}

function NoPast() {
  return <EmptyState>Past prices aren’t available while the exchange isn’t responding.</EmptyState>;
}

function toPoints(history: z.output<typeof PriceHistory>): PricePoint[] {
  return z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
}

/** Ends the curve of an open market at the current chance that the page shows elsewhere. */
function untilNow(
  points: readonly PricePoint[],
  chance: number,
  { detail }: LoadedMarket,
): readonly PricePoint[] {
  if (detail.status !== "open" || points.length === 0) return points;
  const at = Math.max(Date.now(), points.at(-1)?.at ?? 0);
  return [...points.filter((point) => point.at < at), { at, price: chance }];
}

/** Converts a fill in the other outcome to this outcome's prices. */
function toMark(fill: Fills[number], { market, outcome, detail }: LoadedMarket): ChartFill {
  const index = fill.tokenId === market.outcomes[0].tokenId ? 0 : 1;
  const own = { action: fill.action, outcome: index, price: fill.price } as const;
  const seen = toOutcomeSide(outcome.tokenId === market.outcomes[0].tokenId ? 0 : 1, own);
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
