import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { buildPageHref, type PageParams } from "@/app/(dashboard)/markets/[slug]/page-url";
import { RANGES } from "@/components/charts/ranges";
import { addEnd, EventPrices, NoPast, toPoints } from "@/app/(dashboard)/markets/event-prices";
import { FillLegend, OwnMarks } from "@/components/charts/own-marks";
import { PriceChart } from "@/components/charts/price-chart";
import { Tabs } from "@/components/ui/tabs";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";
import { getHistory } from "@/lib/markets/get-history";
import { withStaleReads } from "@/lib/stale-reads";

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
  fills: OwnMarketWire["fills"];
}

/** The outcome's price over time with the account's orders and fills, or a comparison of the event's outcomes. */
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
        <EventPrices
          principal={loaded.session.principal}
          lines={header.event}
          current={market.slug}
          range={chosen}
          end={getEnd(loaded)}
        />
      ) : (
        <OwnPrices loaded={loaded} range={chosen} fills={fills} />
      )}
    </section>
  );
}

interface PricesProps {
  loaded: LoadedMarket;
  range: (typeof RANGES)[number];
  fills: Props["fills"];
}

async function OwnPrices({ loaded, range, fills }: PricesProps) {
  const { market, detail, outcome, session } = loaded;
  const history = await withStaleReads(() =>
    getHistory(session.principal, market.id, { tokenId: outcome.tokenId, interval: range.range }),
  );
  if (!history.isKnown) return <NoPast />;
  const past = toPoints(history.value);
  const points = history.outage ? past : addEnd(past, outcome.price, getEnd(loaded));
  const outcomes = detail.outcomes.map(({ name, tokenId }) => ({ name, tokenId }));
  const marked = fills.map(({ createdAt, tokenId, price }) => ({
    at: Date.parse(createdAt),
    price: tokenId === outcome.tokenId ? price : 1 - price,
  }));
  return (
    <>
      <PriceChart
        points={points}
        outcome={outcome.name}
        period={range.period}
        tickSize={detail.tickSize}
        marked={marked}
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
      <FillLegend
        outcomes={outcomes}
        period={{ from: points[0]?.at ?? 0, to: points.at(-1)?.at ?? 0 }}
      />
    </>
  );
}

/** Where the curve of the page's market ends: now, or at its result. Null if the last price is the end. */
function getEnd({ detail }: LoadedMarket): number | null {
  if (detail.status === "closed") return null;
  return detail.status === "resolved" ? Date.parse(detail.resolvesAt) : Date.now();
}
