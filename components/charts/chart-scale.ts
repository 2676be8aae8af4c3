// The server draws all charts, so that pages don't include the d3 modules.
import "server-only";
import { scaleLinear } from "d3-scale";
import { curveStepAfter, line } from "d3-shape";
import {
  BOX,
  type Place,
  type PlacedPoint,
  type PricePoint,
} from "@/components/charts/price-points";

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

/** The margin above the highest and below the lowest price, in percentage points. */
const PRICE_MARGIN = 5;
/** d3 returns between two and seven ticks then. */
const PRICE_TICKS = 4;

/** Fits a scale to prices, with a margin, between 0 and 100 %. */
export function fitPriceScale(points: readonly PricePoint[]): ChartScale {
  const cents = points.map(({ price }) => price * 100);
  const low = Math.max(0, Math.floor(Math.min(...cents, 100)) - PRICE_MARGIN);
  const high = Math.min(100, Math.ceil(Math.max(...cents, 0)) + PRICE_MARGIN);
  const y = scaleLinear()
    .domain([low / 100, high / 100])
    .rangeRound([BOX, 0]);
  return { x: fitTimes(points), y, ticks: y.ticks(PRICE_TICKS) };
}

/** The part of the range that stays free above and below a line of values. */
const VALUE_MARGIN = 0.08;
/** The smallest span, in dollars. A line that moves by less than a cent is flat. */
const SMALLEST_SPAN = 0.1;

/** Fits a scale to values, with a margin. Zero is on the chart only if the values come near it. */
export function fitValueScale(points: readonly CurvePoint[]): Omit<ChartScale, "ticks"> {
  const values = points.map(({ value }) => value);
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

const stepLine = line<Place>(
  ({ x }) => x,
  ({ y }) => y,
).curve(curveStepAfter);

/** Builds the path of a line that holds each value until the next place. */
export const buildStepPath = (places: readonly Place[]): string => stepLine(places) ?? "";
