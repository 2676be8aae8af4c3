import { z } from "zod";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { buildPageHref, type PageParams, RANGES } from "@/app/(dashboard)/markets/[slug]/page-url";
import { EventChart, MOST_SERIES } from "@/components/charts/event-chart";
import { FillLegend, OwnMarks } from "@/components/charts/own-marks";
import { PriceChart } from "@/components/charts/price-chart";
import type { PricePoint } from "@/components/charts/price-points";
import { EmptyState } from "@/components/ui/states";
import { Tabs } from "@/components/ui/tabs";
import { PriceHistory } from "@/lib/schemas/markets";
import { getHistory } from "@/lib/markets/get-history";
import { withStaleReads } from "@/lib/stale-reads";

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
}

/** The outcome's price over time with the account's orders and fills, or a comparison of the event's outcomes. */
export function ChartSection({ loaded, params }: Props) {
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
      {/* The rows are the same for both charts, so that no control moves under the pointer. */}
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
        <h2 className={`truncate text-heading ${hasEvent ? "basis-40 grow" : ""}`}>
          {isEvent ? "Chances" : `Chance of ${outcome.name}`}
        </h2>
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
        <div className={hasEvent ? "basis-full" : ""}>
          <Tabs
            label="Period"
            items={RANGES.map(({ range, label }) => ({
              href: buildPageHref(market.slug, params, { range }),
              label,
              isCurrent: range === chosen.range,
            }))}
          />
        </div>
      </div>
      {isEvent ? (
        <EventPrices loaded={loaded} range={chosen} />
      ) : (
        <OwnPrices loaded={loaded} range={chosen} />
      )}
    </section>
  );
}

interface PricesProps {
  loaded: LoadedMarket;
  range: (typeof RANGES)[number];
}

async function OwnPrices({ loaded, range }: PricesProps) {
  const { market, detail, outcome, session } = loaded;
  const history = await withStaleReads(() =>
    getHistory(session.principal, market.id, { tokenId: outcome.tokenId, interval: range.range }),
  );
  if (!history.isKnown) return <NoPast />;
  const points = toPoints(history.value);
  const outcomes = detail.outcomes.map(({ name, tokenId }) => ({ name, tokenId }));
  return (
    <>
      <PriceChart
        points={history.outage ? points : addEnd(points, outcome.price, loaded)}
        outcome={outcome.name}
        period={range.period}
      >
        {(frame, curve) => (
          <OwnMarks
            frame={frame}
            curve={curve}
            outcomes={outcomes}
            tokenId={outcome.tokenId}
            tickSize={detail.tickSize}
          />
        )}
      </PriceChart>
      <FillLegend outcomes={outcomes} />
    </>
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
    return [{ ...one, points: read.outage ? points : addEnd(points, one.chance, loaded) }];
  });
  return <EventChart series={series} period={range.period} />;
}

function NoPast() {
  return (
    <EmptyState>
      Past prices aren&rsquo;t available while the exchange isn&rsquo;t responding.
    </EmptyState>
  );
}

function toPoints(history: z.output<typeof PriceHistory>): PricePoint[] {
  return z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
}

/**
 * Ends the curve of an open market at the current chance that the page shows elsewhere, and the curve of a
 * resolved market at its result.
 */
function addEnd(
  points: readonly PricePoint[],
  chance: number,
  { detail }: LoadedMarket,
): readonly PricePoint[] {
  if (detail.status === "closed" || points.length === 0) return points;
  const isResolved = detail.status === "resolved";
  const end = isResolved ? Date.parse(detail.resolvesAt) : Date.now();
  const at = Math.max(end, points.at(-1)?.at ?? 0);
  return [...points.filter((point) => point.at < at), { at, price: chance }];
}
