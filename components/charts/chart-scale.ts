// The server draws all charts, so that pages don't include the d3 modules.
import "server-only";
import { scaleLinear } from "d3-scale";
import { curveStepAfter, line } from "d3-shape";
import {
  BOX,
  type ChartFrame,
  type Obstacle,
  type Place,
  type PlacedPoint,
  placePrice,
  placeTime,
  type PricePoint,
} from "@/components/charts/price-points";
import { formatFineProbability, formatProbability } from "@/components/format/numbers";

/** A point of a curve, in milliseconds and dollars. Only drawn, never used in calculations. */
export interface CurvePoint {
  at: number;
  value: number;
}

/** The functions from a chart's times and values to places in its box. */
export interface ChartScale {
  x: (at: number) => number;
  y: (value: number) => number;
  /** Round values for gridlines, ascending. */
  ticks: readonly number[];
}

/** The scale of a chart of prices. */
export interface PriceScale extends ChartScale {
  frame: ChartFrame;
  /** Formats a price on the axis: 38%, or 38.5% where half a point is seen. */
  formatTick: (price: number) => string;
}

/** The margin above the highest and below the lowest price, as a part of their distance. */
const PRICE_MARGIN = 0.08;
/** The smallest distance, so that a price that hardly moved is no mountain range. Also a number of ticks. */
const SMALLEST_RANGE = 0.01;
const FEWEST_TICKS = 4;
/** A chart of fewer prices shows halves of a point. */
const FINE_RANGE = 0.05;
/** d3 returns between two and seven ticks then. */
const PRICE_TICKS = 4;

interface PriceFit {
  /** The market's grid. */
  tickSize?: string;
  /** Prices that are marked on the chart, such as those of the account's fills. */
  marked?: readonly PricePoint[];
}

/** Fits a scale to prices and to the marks of their period, with a margin, between 0 and 100 %. */
export function fitPriceScale(
  points: readonly PricePoint[],
  { tickSize = "0.01", marked = [] }: PriceFit = {},
): PriceScale {
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const seen = marked.filter(({ at }) => at >= from && at <= to);
  const prices = [...points, ...seen].map(({ price }) => price);
  const [min, max] = [Math.min(...prices), Math.max(...prices)];
  const smallest = Math.max(SMALLEST_RANGE, FEWEST_TICKS * Number(tickSize));
  const reach = Math.max(max - min, smallest) * (0.5 + PRICE_MARGIN);
  const middle = (min + max) / 2;
  const [low, high] = [Math.max(0, middle - reach), Math.min(1, middle + reach)];
  const frame = { from, to, low, high };
  const ticks = scaleLinear().domain([low, high]).ticks(PRICE_TICKS);
  const isFine = high - low < FINE_RANGE || ticks.some((tick) => !isWhole(tick * 100));
  return {
    x: (at) => placeTime(at, frame),
    y: (price) => placePrice(price, frame),
    ticks,
    frame,
    formatTick: (price) => (isFine ? formatFineProbability(price) : formatProbability(price)),
  };
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-6;

/** The part of the range that stays free above and below a line of values. */
const VALUE_MARGIN = 0.08;
/** The smallest span, in dollars. A line that moves by less than a cent is flat. */
const SMALLEST_SPAN = 0.1;

/** Fits a scale to values and their baseline, with a margin. */
export function fitValueScale(
  points: readonly CurvePoint[],
  baseline: number,
): Omit<ChartScale, "ticks"> {
  const values = [baseline, ...points.map(({ value }) => value)];
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max((max - min) * VALUE_MARGIN, (SMALLEST_SPAN - (max - min)) / 2);
  const y = scaleLinear()
    .domain([min - margin, max + margin])
    .rangeRound([BOX, 0]);
  return { x: fitTimes(points), y };
}

const fitTimes = (points: readonly { at: number }[]) =>
  scaleLinear()
    .domain([points[0]?.at ?? 0, points.at(-1)?.at ?? 0])
    .rangeRound([0, BOX]);

export const placePrices = (points: readonly PricePoint[], { x, y }: ChartScale): PlacedPoint[] =>
  points.map((point) => ({ ...point, x: x(point.at), y: y(point.price) }));

export const placeValues = (
  points: readonly CurvePoint[],
  { x, y }: Omit<ChartScale, "ticks">,
): Place[] => points.map(({ at, value }) => ({ x: x(at), y: y(value) }));

/** The columns in which the space of a curve is measured. */
const COLUMNS = 20;

/** Returns the space that a step curve takes, one rectangle per column. */
export function measureCurve(places: readonly Place[]): Obstacle[] {
  const width = BOX / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const left = column * width;
    const right = left + width;
    const before = places.findLast(({ x }) => x <= left);
    const inside = places.filter(({ x }) => x > left && x <= right);
    const heights = [before ?? inside[0], ...inside].flatMap((place) => place?.y ?? []);
    return { left, right, top: Math.min(...heights), bottom: Math.max(...heights) };
  });
}

const stepLine = line<Place>(
  ({ x }) => x,
  ({ y }) => y,
).curve(curveStepAfter);

/** Builds the path of a line that holds each value until the next place. */
export const buildStepPath = (places: readonly Place[]): string => stepLine(places) ?? "";
