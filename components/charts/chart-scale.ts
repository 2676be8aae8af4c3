/**
 * Where things stand in a price chart, in percent of its width and height. Prices and times are
 * wire numbers here: they are drawn, never calculated money with.
 */
export interface PricePoint {
  /** Milliseconds since the epoch. */
  at: number;
  /** 0 to 1. */
  price: number;
}

export interface ChartScale {
  x: (at: number) => number;
  y: (price: number) => number;
  /** Prices of the gridlines, ascending. */
  gridlines: readonly number[];
}

/** Room above the highest and below the lowest price, in points of a hundred. */
const PADDING = 5;
const STEPS = [1, 2, 5, 10, 25, 50];
const MOST_LINES = 5;

/** Fits a chart to its prices, with room around them, inside 0 and 100 %. */
export function fitScale(points: readonly PricePoint[]): ChartScale {
  const cents = points.map(({ price }) => price * 100);
  const low = Math.max(0, Math.floor(Math.min(...cents, 100)) - PADDING);
  const high = Math.min(100, Math.ceil(Math.max(...cents, 0)) + PADDING);
  const from = points[0]?.at ?? 0;
  const span = Math.max(1, (points.at(-1)?.at ?? 0) - from);
  const step = STEPS.find((size) => (high - low) / size <= MOST_LINES) ?? 50;
  const first = Math.ceil(low / step) * step;
  const count = Math.floor((high - first) / step) + 1;
  return {
    x: (at) => ((at - from) / span) * 100,
    y: (price) => 100 - ((price * 100 - low) / (high - low)) * 100,
    gridlines: Array.from({ length: count }, (_, index) => (first + index * step) / 100),
  };
}

/** What the path is drawn in: whole numbers keep the markup small. */
export const UNITS = 10_000;

/** A step line: the price stays until the next one. In units of `UNITS` by `UNITS`. */
export function stepPath(points: readonly PricePoint[], scale: ChartScale): string {
  const unit = (percent: number) => Math.round((percent * UNITS) / 100);
  return points
    .map(({ at, price }, index) => {
      const [x, y] = [unit(scale.x(at)), unit(scale.y(price))];
      return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
    })
    .join("");
}

/** The last point not after a place in the chart; `ratio` runs from 0 at the left to 1. */
export function pointAt(points: readonly PricePoint[], ratio: number): number {
  const from = points[0]?.at ?? 0;
  const at = from + ratio * ((points.at(-1)?.at ?? 0) - from);
  const after = points.findIndex((point) => point.at > at);
  return after === -1 ? points.length - 1 : Math.max(0, after - 1);
}

/** What the price was at a time: that of the last point not after it. */
export function pointBefore(points: readonly PricePoint[], at: number): PricePoint | undefined {
  return points.findLast((point) => point.at <= at);
}

/** At most `count` points, evenly apart, with the last one among them. */
export function thinOut(points: readonly PricePoint[], count: number): PricePoint[] {
  const every = Math.max(1, Math.ceil(points.length / count));
  const last = points.length - 1;
  return points.filter((_, index) => (last - index) % every === 0);
}
