import { BOX, type PricePoint } from "@/components/charts/price-points";

/** One market of an event, with the chance of its first outcome. */
export interface EventSeries {
  slug: string;
  label: string;
  /** Whether it is the page's market. */
  isCurrent: boolean;
  points: readonly PricePoint[];
}

export function getLastChance({ points }: Pick<EventSeries, "points">): number {
  return points.at(-1)?.price ?? 0;
}

/** The height of a label in the lowest chart. */
const LINE = 700;

/** Places labels without overlap, as close to their lines as possible. */
export function placeLabels(ends: readonly number[]): number[] {
  const places = [...ends];
  const order = ends.map((_, index) => index).toSorted((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  let free = 0;
  for (const index of order) {
    places[index] = Math.max(ends[index] ?? 0, free);
    free = (places[index] ?? 0) + LINE;
  }
  // Moves labels that left the chart at the bottom back inside.
  let ceiling = BOX;
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
