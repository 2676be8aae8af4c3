/** A price at a time. Prices and times are JSON numbers here: they are only drawn. */
export interface PricePoint {
  /** Milliseconds since the epoch. */
  at: number;
  /** 0 to 1. */
  price: number;
}

/** The sides of a chart's box. Its whole numbers keep the markup small. */
export const BOX = 10_000;

/** A place in a chart, from 0 (left, top) to `BOX` (right, bottom). */
export interface Place {
  x: number;
  y: number;
}

export type PlacedPoint = PricePoint & Place;

/** The times and prices at the edges of a chart. */
export interface ChartFrame {
  from: number;
  to: number;
  low: number;
  high: number;
}

/** A rectangle in a chart's box that a label must not cover. */
export interface Obstacle {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A label of 120 x 16 px in the smallest chart, and its distance from its line. */
const LABEL = { width: 3800, height: 720, gap: 90 };
const LABEL_STEP = 500;

/** Places a line's label above or below it, as far left as possible without covering an obstacle. */
export function placeLabel(y: number, obstacles: readonly Obstacle[]): Obstacle {
  const { width, height, gap } = LABEL;
  const [above, below] = [y - gap - height, y + gap];
  const tops = [...(above < -gap ? [] : [above]), ...(below + height > BOX ? [] : [below])];
  const candidates = Array.from(
    { length: (BOX - width) / LABEL_STEP + 1 },
    (_, step) => step,
  ).flatMap((step) => tops.map((top) => toBox(step * LABEL_STEP, top)));
  const isFree = (label: Obstacle) => obstacles.every((other) => !overlap(label, other));
  return candidates.find(isFree) ?? toBox(0, tops[0] ?? 0);
}

const toBox = (left: number, top: number): Obstacle => ({
  left,
  right: left + LABEL.width,
  top,
  bottom: top + LABEL.height,
});

const overlap = (a: Obstacle, b: Obstacle) =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

export const placeTime = (at: number, { from, to }: ChartFrame) =>
  Math.round(((at - from) / (to - from)) * BOX);

export const placePrice = (price: number, { low, high }: ChartFrame) =>
  Math.round(((high - price) / (high - low)) * BOX);

/** Returns a coordinate of a place as SVG attributes take it. */
export const toPercent = (coordinate: number) => `${coordinate / (BOX / 100)}%`;

/** Returns the index of the last point up to a horizontal position. */
export function pointAt(points: readonly PlacedPoint[], x: number): number {
  return Math.max(
    0,
    points.findLastIndex((point) => point.x <= x),
  );
}

/** Returns the last point up to a time. */
export function pointBefore(points: readonly PricePoint[], at: number): PricePoint | undefined {
  return points.findLast((point) => point.at <= at);
}

/** Returns at most `count` evenly spaced points, including the last one. */
export function thinOut(points: readonly PricePoint[], count: number): PricePoint[] {
  const every = Math.max(1, Math.ceil(points.length / count));
  const last = points.length - 1;
  return points.filter((_, index) => (last - index) % every === 0);
}
