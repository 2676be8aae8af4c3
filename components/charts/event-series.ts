import type { PricePoint } from "@/components/charts/chart-scale";

/** One outcome of an event: a market of its own, by the chance of its first outcome. */
export interface EventSeries {
  slug: string;
  label: string;
  /** The page's own market. */
  isCurrent: boolean;
  points: readonly PricePoint[];
}

export function lastOf({ points }: Pick<EventSeries, "points">): number {
  return points.at(-1)?.price ?? 0;
}

/** A line of text in percent of the chart's height, where it is lowest. */
const LINE = 7;

/** Where labels stand so that none covers another: as near to their lines as that allows. */
export function placeLabels(ends: readonly number[]): number[] {
  const places = [...ends];
  const order = ends.map((_, index) => index).toSorted((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  let free = 0;
  for (const index of order) {
    places[index] = Math.max(ends[index] ?? 0, free);
    free = (places[index] ?? 0) + LINE;
  }
  // Pushed out at the bottom, they are pushed back from there.
  let ceiling = 100;
  for (const index of order.toReversed()) {
    places[index] = Math.min(places[index] ?? 0, ceiling);
    ceiling = (places[index] ?? 0) - LINE;
  }
  return places;
}

const SHORT_NAME = 12;

export function shortName(name: string): string {
  const characters = [...name];
  if (characters.length <= SHORT_NAME) return name;
  return `${characters
    .slice(0, SHORT_NAME - 1)
    .join("")
    .trimEnd()}…`;
}
