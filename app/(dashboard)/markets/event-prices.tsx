import { z } from "zod";
import type { RANGES } from "@/components/charts/ranges";
import { EventChart, MOST_SERIES } from "@/components/charts/event-chart";
import type { PricePoint } from "@/components/charts/price-points";
import type { MarketLineWire } from "@/components/markets/market-view";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { getHistory } from "@/lib/markets/get-history";
import { PriceHistory } from "@/lib/schemas/markets";
import { withStaleReads } from "@/lib/stale-reads";

interface Props {
  principal: Principal;
  /** The markets of the event, likeliest first. */
  lines: readonly MarketLineWire[];
  /** The slug of the page's market, which is always shown; null on the event's own page. */
  current: string | null;
  range: (typeof RANGES)[number];
  /** The time of the chances; null if the curves end at their last price. */
  end: number | null;
}

/** The chances of the likeliest markets of an event over time. */
export async function EventPrices({ principal, lines, current, range, end }: Props) {
  const named = lines.map(({ slug, label, title, chance }) => ({
    slug,
    label: label ?? title,
    chance,
    isCurrent: slug === current,
  }));
  const own = named.filter(({ isCurrent }) => isCurrent);
  const others = named.filter(({ isCurrent }) => !isCurrent).slice(0, MOST_SERIES - own.length);
  const shown = [...own, ...others].toSorted((a, b) => b.chance - a.chance);
  const read = await withStaleReads(() =>
    Promise.all(shown.map(({ slug }) => getHistory(principal, slug, { interval: range.range }))),
  );
  if (!read.isKnown) return <NoPast />;
  const series = read.value.flatMap((history, index) => {
    const one = shown[index];
    const points = toPoints(history);
    if (!one) return [];
    return [{ ...one, points: read.outage ? points : addEnd(points, one.chance, end) }];
  });
  return <EventChart series={series} period={range.period} />;
}

export function NoPast() {
  return (
    <EmptyState>
      Past prices aren&rsquo;t available while the exchange isn&rsquo;t responding.
    </EmptyState>
  );
}

export function toPoints(history: z.output<typeof PriceHistory>): PricePoint[] {
  return z
    .encode(PriceHistory, history)
    .points.map(({ at, price }) => ({ at: Date.parse(at), price }));
}

/** Ends a curve at the chance that the page shows elsewhere. */
export function addEnd(
  points: readonly PricePoint[],
  chance: number,
  end: number | null,
): readonly PricePoint[] {
  if (end === null || points.length === 0) return points;
  const at = Math.max(end, points.at(-1)?.at ?? 0);
  return [...points.filter((point) => point.at < at), { at, price: chance }];
}
