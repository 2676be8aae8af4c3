import type { ReactNode } from "react";
import { ChartCursor } from "@/components/charts/chart-cursor";
import {
  buildStepPath,
  fitPriceScale,
  measureCurve,
  placePrices,
  type PriceScale,
} from "@/components/charts/chart-scale";
import {
  BOX,
  type ChartFrame,
  type Obstacle,
  type Place,
  type PricePoint,
  thinOut,
  toPercent,
} from "@/components/charts/price-points";
import { formatProbability } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { ScrollRegion } from "@/components/ui/scroll-region";

interface Props {
  points: readonly PricePoint[];
  outcome: string;
  /** "the last day" */
  period: string;
  tickSize: string;
  /** The prices that the children mark. */
  marked: readonly PricePoint[];
  /** Draws what the account has in the market. */
  children?: (frame: ChartFrame, curve: readonly Obstacle[]) => ReactNode;
}

const TABLE_ROWS = 25;

/** A chance over time, drawn by the server. Only the cursor needs JavaScript. */
export function PriceChart({ points, outcome, period, tickSize, marked, children }: Props) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) {
    return <p className="py-16 text-center text-text-2">No prices in this period yet.</p>;
  }
  const scale = fitPriceScale(points, { tickSize, marked });
  const places = placePrices(points, scale);
  return (
    <figure>
      <div className="grid h-55 grid-cols-[minmax(0,1fr)_3.25rem] lg:h-75">
        <div className="relative">
          <Plot places={places} scale={scale} summary={summarize(points, outcome, period)} />
          <ChartCursor points={places} outcome={outcome}>
            {children?.(scale.frame, measureCurve(places))}
          </ChartCursor>
        </div>
        <Axis scale={scale} last={last.price} />
      </div>
      <figcaption className="mt-2 flex items-baseline justify-between gap-3 pr-13 text-caption text-text-3">
        <TimeStamp at={new Date(first.at).toISOString()} isRelative={false} />
        <TimeStamp at={new Date(last.at).toISOString()} isRelative={false} />
      </figcaption>
      <ChartTable points={points} outcome={outcome} />
    </figure>
  );
}

interface PlotProps {
  places: readonly Place[];
  scale: PriceScale;
  summary: string;
}

function Plot({ places, scale, summary }: PlotProps) {
  const path = buildStepPath(places);
  return (
    <svg role="img" aria-label={summary} className="size-full overflow-visible">
      {scale.ticks.map((price) => (
        <line
          key={price}
          x1="0"
          x2="100%"
          y1={toPercent(scale.y(price))}
          y2={toPercent(scale.y(price))}
          className="stroke-border"
        />
      ))}
      <svg viewBox={`0 0 ${BOX} ${BOX}`} preserveAspectRatio="none" width="100%" height="100%">
        <path
          d={path}
          fill="none"
          className="stroke-series-1"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
        />
      </svg>
    </svg>
  );
}

interface AxisProps {
  scale: PriceScale;
  last: number;
}

/** Half the height of the tag, in the box of the lowest chart. */
const TAG_REACH = 700;

/** The gridlines' prices and, on a tag at the line's end, the last price. */
function Axis({ scale, last }: AxisProps) {
  const end = scale.y(last);
  return (
    <svg aria-hidden="true" className="size-full overflow-visible">
      {scale.ticks
        .filter((price) => Math.abs(scale.y(price) - end) > TAG_REACH)
        .map((price) => (
          <text
            key={price}
            x="8"
            y={toPercent(scale.y(price))}
            dy="4"
            className="fill-text-3 text-caption tabular-nums"
          >
            {scale.formatTick(price)}
          </text>
        ))}
      <svg x="0" y={toPercent(end)} className="overflow-visible">
        <path d="M0 0L6-10H50V10H6Z" className="fill-series-1" />
        <text x="9" y="4" className="fill-surface text-caption tabular-nums">
          {scale.formatTick(last)}
        </text>
      </svg>
    </svg>
  );
}

interface TableProps {
  points: readonly PricePoint[];
  outcome: string;
}

function ChartTable({ points, outcome }: TableProps) {
  return (
    <details className="mt-1">
      <summary className="inline-flex h-11 items-center text-small text-text-2 underline underline-offset-2 lg:h-8">
        Show as table
      </summary>
      <ScrollRegion
        label={`Chances of ${outcome}`}
        className="max-h-64 overflow-y-auto rounded-control border border-border"
      >
        <table className="w-full text-left text-small">
          <caption className="sr-only">Chances of {outcome}</caption>
          <thead>
            <tr className="text-caption text-text-3">
              <th scope="col" className="px-3 py-1.5">
                Time
              </th>
              <th scope="col" className="px-3 py-1.5 text-right">
                Chance
              </th>
            </tr>
          </thead>
          <tbody>
            {thinOut(points, TABLE_ROWS)
              .toReversed()
              .map(({ at, price }) => (
                <tr key={at} className="border-t border-border">
                  <td className="px-3 py-1">
                    <TimeStamp at={new Date(at).toISOString()} isRelative={false} />
                  </td>
                  <td className="num px-3 py-1 text-right">{formatProbability(price)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}

/** "Yes rose from 48% to 62% over the last week, low 45%, high 64%", or "Yes stayed at 48%". */
function summarize(points: readonly PricePoint[], outcome: string, period: string): string {
  const prices = points.map(({ price }) => price);
  const [from = 0, to = 0] = [prices[0], prices.at(-1)];
  const [low, high] = [Math.min(...prices), Math.max(...prices)].map(formatProbability);
  const [first, last] = [formatProbability(from), formatProbability(to)];
  const move =
    first === last
      ? `stayed at ${first}`
      : `${to > from ? "rose" : "fell"} from ${first} to ${last}`;
  return `${outcome} ${move} over ${period}, low ${low}, high ${high}`;
}
