import Link from "next/link";
import { type EventSeries, getLastChance, placeLabels } from "@/components/charts/event-series";
import {
  buildStepPath,
  fitPriceScale,
  placePrices,
  type PriceScale,
} from "@/components/charts/chart-scale";
import { BOX, pointBefore, thinOut, toPercent } from "@/components/charts/price-points";
import { formatProbability } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { ScrollRegion } from "@/components/ui/scroll-region";

interface Props {
  /** Likeliest first, at most one per line style. */
  series: readonly EventSeries[];
  /** "the last day" */
  period: string;
}

/** The line styles differ by dash and by color. */
const LOOKS = [
  { stroke: "stroke-series-1", fill: "fill-series-1", dash: undefined },
  { stroke: "stroke-series-2", fill: "fill-series-2", dash: "6 3" },
  { stroke: "stroke-series-3", fill: "fill-series-3", dash: "2 3" },
  { stroke: "stroke-series-4", fill: "fill-series-4", dash: "8 3 2 3" },
] as const;
export const MOST_SERIES = LOOKS.length;
const TABLE_ROWS = 25;

/** The chances of an event's outcomes over time, drawn by the server. */
export function EventChart({ series, period }: Props) {
  const all = series.flatMap(({ points }) => points).toSorted((a, b) => a.at - b.at);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || first.at === last.at) {
    return <p className="py-16 text-center text-text-2">No prices in this period yet.</p>;
  }
  const scale = fitPriceScale(all);
  return (
    <figure>
      <div className="grid h-55 grid-cols-[2.5rem_minmax(0,1fr)_2.75rem] lg:h-75">
        <Axis scale={scale} />
        <Lines series={series} scale={scale} summary={summarize(series, period)} />
        <EndLabels series={series} scale={scale} />
      </div>
      <figcaption className="mt-2 flex items-baseline justify-between gap-3 pr-11 pl-10 text-caption text-text-3">
        <TimeStamp at={new Date(first.at).toISOString()} isRelative={false} />
        <TimeStamp at={new Date(last.at).toISOString()} isRelative={false} />
      </figcaption>
      <Legend series={series} />
      <ChancesTable series={series} />
    </figure>
  );
}

interface DrawnProps {
  series: readonly EventSeries[];
  scale: PriceScale;
}

function Lines({ series, scale, summary }: DrawnProps & { summary: string }) {
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
        {/* The likeliest outcome is drawn last, on top. */}
        {series
          .map(({ slug, points }, index) => (
            <path
              key={slug}
              d={buildStepPath(placePrices(points, scale))}
              fill="none"
              className={LOOKS[index]?.stroke}
              strokeWidth="2"
              strokeDasharray={LOOKS[index]?.dash}
              vectorEffect="non-scaling-stroke"
              strokeLinejoin="round"
            />
          ))
          .toReversed()}
      </svg>
    </svg>
  );
}

/** The gridlines' prices, beside the plot, so that no line crosses them. */
function Axis({ scale }: Pick<DrawnProps, "scale">) {
  return (
    <svg aria-hidden="true" className="size-full overflow-visible">
      {scale.ticks.map((price) => (
        <text
          key={price}
          x="32"
          y={toPercent(scale.y(price))}
          dy="4"
          textAnchor="end"
          className="fill-text-3 text-caption tabular-nums"
        >
          {scale.formatTick(price)}
        </text>
      ))}
    </svg>
  );
}

/** The chances at the ends of the lines, moved apart if they would overlap. The legend has the names. */
function EndLabels({ series, scale }: DrawnProps) {
  const places = placeLabels(series.map((one) => scale.y(getLastChance(one))));
  return (
    <svg aria-hidden="true" className="size-full overflow-visible">
      {series.map((one, index) => (
        <g key={one.slug}>
          <circle
            cx="0"
            cy={toPercent(scale.y(getLastChance(one)))}
            r="4"
            className={`stroke-surface ${LOOKS[index]?.fill ?? ""}`}
          />
          <text
            x="10"
            y={toPercent(places[index] ?? 0)}
            dy="4"
            className="fill-text text-caption tabular-nums"
          >
            {formatProbability(getLastChance(one))}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Legend({ series }: Pick<Props, "series">) {
  return (
    <ul className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(9.375rem,1fr))] gap-x-5 text-small lg:flex lg:flex-wrap">
      {series.map(({ slug, label, isCurrent, ...one }, index) => (
        <li key={slug} className="flex min-h-11 min-w-0 items-center gap-2 lg:min-h-7">
          <svg aria-hidden="true" width="24" height="8" className="shrink-0">
            <line
              x2="24"
              y1="4"
              y2="4"
              strokeWidth="2"
              strokeDasharray={LOOKS[index]?.dash}
              className={LOOKS[index]?.stroke}
            />
          </svg>
          {isCurrent ? (
            <span className="truncate font-[550]">{label}</span>
          ) : (
            <Link
              href={`/markets/${slug}`}
              prefetch={false}
              className="inline-flex min-h-11 min-w-0 items-center hover:underline lg:min-h-7"
            >
              <span className="truncate">{label}</span>
            </Link>
          )}
          <span className="num font-[550]">{formatProbability(getLastChance(one))}</span>
        </li>
      ))}
    </ul>
  );
}

function ChancesTable({ series }: Pick<Props, "series">) {
  const times = thinOut(series[0]?.points ?? [], TABLE_ROWS).toReversed();
  return (
    <details className="mt-1">
      <summary className="inline-flex h-11 items-center text-small text-text-2 underline underline-offset-2 lg:h-8">
        Show as table
      </summary>
      <ScrollRegion
        label="Chances of the leading outcomes"
        className="max-h-64 overflow-auto rounded-control border border-border"
      >
        <table className="w-full text-left text-small">
          <caption className="sr-only">Chances of the leading outcomes</caption>
          <thead>
            <tr className="text-caption text-text-3">
              <th scope="col" className="px-3 py-1.5">
                Time
              </th>
              {series.map(({ slug, label }) => (
                <th key={slug} scope="col" className="px-3 py-1.5 text-right">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map(({ at }) => (
              <tr key={at} className="border-t border-border">
                <td className="px-3 py-1 whitespace-nowrap">
                  <TimeStamp at={new Date(at).toISOString()} isRelative={false} />
                </td>
                {series.map(({ slug, points }) => (
                  <td key={slug} className="num px-3 py-1 text-right">
                    {formatProbability(pointBefore(points, at)?.price ?? null)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}

/** "Chances over the last day: Ada from 40% to 43%, Bo from 31% to 28%" */
function summarize(series: readonly EventSeries[], period: string): string {
  const moves = series.map((one) => {
    const from = formatProbability(one.points[0]?.price ?? null);
    return `${one.label} from ${from} to ${formatProbability(getLastChance(one))}`;
  });
  return `Chances over ${period}: ${moves.join(", ")}`;
}
