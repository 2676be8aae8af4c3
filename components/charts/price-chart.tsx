import { ChartCursor } from "@/components/charts/chart-cursor";
import {
  buildStepPath,
  type ChartScale,
  fitPriceScale,
  placePrices,
} from "@/components/charts/chart-scale";
import {
  BOX,
  type Place,
  type PricePoint,
  thinOut,
  toPercent,
} from "@/components/charts/price-points";
import { formatProbability } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";

export interface ChartFill {
  id: string;
  at: number;
  price: number;
  /** Buys point up, sells down. */
  isBuy: boolean;
  /** "Bought 20 Yes at 62¢" */
  label: string;
}

interface Props {
  points: readonly PricePoint[];
  fills: readonly ChartFill[];
  outcome: string;
  /** "the last day" */
  period: string;
}

const TABLE_ROWS = 25;

/** A chance over time, drawn by the server. Only the cursor needs JavaScript. */
export function PriceChart({ points, fills, outcome, period }: Props) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) {
    return <p className="py-16 text-center text-text-2">No prices yet in this period.</p>;
  }
  const scale = fitPriceScale(points);
  const places = placePrices(points, scale);
  const visible = fills.filter(({ at }) => at >= first.at && at <= last.at);
  return (
    <figure>
      <div className="grid h-[220px] grid-cols-[minmax(0,1fr)_44px] lg:h-[300px]">
        <div className="relative">
          <Plot
            places={places}
            fills={visible}
            scale={scale}
            summary={summarize(points, outcome, period)}
          />
          <ChartCursor points={places} outcome={outcome} />
        </div>
        <Axis scale={scale} />
      </div>
      <figcaption className="mt-2 flex items-baseline justify-between gap-3 pr-11 text-caption text-text-3">
        <TimeStamp at={new Date(first.at).toISOString()} isRelative={false} />
        <TimeStamp at={new Date(last.at).toISOString()} isRelative={false} />
      </figcaption>
      <ChartTable points={points} outcome={outcome} />
    </figure>
  );
}

interface PlotProps {
  places: readonly Place[];
  fills: readonly ChartFill[];
  scale: ChartScale;
  summary: string;
}

function Plot({ places, fills, scale, summary }: PlotProps) {
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
        <path d={`${path}V${BOX}H0Z`} className="fill-series-1" fillOpacity="0.08" stroke="none" />
        <path
          d={path}
          fill="none"
          className="stroke-series-1"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
        />
      </svg>
      {fills.map((fill) => (
        <FillMark key={fill.id} fill={fill} scale={scale} />
      ))}
    </svg>
  );
}

/** Drawn around the origin and moved to the fill's point. */
function FillMark({ fill, scale }: { fill: ChartFill; scale: ChartScale }) {
  return (
    <svg
      x={toPercent(scale.x(fill.at))}
      y={toPercent(scale.y(fill.price))}
      className="overflow-visible"
    >
      <path
        d={fill.isBuy ? "M0-5L5 5H-5Z" : "M0 5L5-5H-5Z"}
        className={`stroke-surface ${fill.isBuy ? "fill-up" : "fill-down"}`}
        strokeWidth="1.5"
      >
        <title>{fill.label}</title>
      </path>
    </svg>
  );
}

function Axis({ scale }: { scale: ChartScale }) {
  return (
    <svg aria-hidden="true" className="size-full overflow-visible">
      {scale.ticks.map((price) => (
        <text
          key={price}
          x="8"
          y={toPercent(scale.y(price))}
          dy="4"
          className="fill-text-3 text-caption tabular-nums"
        >
          {formatProbability(price)}
        </text>
      ))}
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
      <div
        role="region"
        aria-label={`Chances of ${outcome}`}
        tabIndex={0}
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
      </div>
    </details>
  );
}

/** "Yes rose from 48% to 62% over the last week, low 45%, high 64%" */
function summarize(points: readonly PricePoint[], outcome: string, period: string): string {
  const prices = points.map(({ price }) => price);
  const [from = 0, to = 0] = [prices[0], prices.at(-1)];
  const verb = to === from ? "stayed" : to > from ? "rose" : "fell";
  const [low, high] = [Math.min(...prices), Math.max(...prices)].map(formatProbability);
  const move = `from ${formatProbability(from)} to ${formatProbability(to)}`;
  return `${outcome} ${verb} ${move} over ${period}, low ${low}, high ${high}`;
}
