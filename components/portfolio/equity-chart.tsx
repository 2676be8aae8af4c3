import {
  buildStepPath,
  type CurvePoint,
  fitValueScale,
  placeValues,
} from "@/components/charts/chart-scale";
import { BOX } from "@/components/charts/price-points";
import { formatCompactMoney, formatMoney } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money } from "@/components/format/values";

interface Props {
  points: readonly CurvePoint[];
  /** "over the last day" */
  period: string;
  /** Positive for a gain, negative for a loss. */
  change: number;
}

/** The account's value over time as a step line, drawn by the server. */
export function EquityChart({ points, period, change }: Props) {
  const scale = fitValueScale(points);
  const path = buildStepPath(placeValues(points, scale));
  const middle = points[Math.floor(points.length / 2)];
  // Abbreviated, the gridlines of a large account that hardly moves would have the same labels.
  const isDistinct = new Set(scale.ticks.map(formatCompactMoney)).size === scale.ticks.length;
  const ends = [points[0], points.length > 2 ? middle : undefined, points.at(-1)];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
      <svg
        role="img"
        aria-label={summarize(points, period)}
        viewBox={`0 0 ${BOX} ${BOX}`}
        preserveAspectRatio="none"
        className={`h-[200px] w-full overflow-visible sm:h-[240px] ${chooseTone(change)}`}
      >
        {scale.ticks.map((tick) => (
          <line
            key={tick}
            x1={0}
            x2={BOX}
            y1={scale.y(tick)}
            y2={scale.y(tick)}
            className="stroke-border"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path d={`${path}V${BOX}H0Z`} fill="currentColor" fillOpacity="0.08" stroke="none" />
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div
        aria-hidden="true"
        className="-my-2 flex flex-col-reverse justify-between text-right text-caption text-text-3"
      >
        {scale.ticks.map((tick) => (
          <Money key={tick} usdc={tick} compact={isDistinct} />
        ))}
      </div>
      <div className="mt-2 flex justify-between gap-2 text-caption text-text-3">
        {ends.map(
          (point) =>
            point && (
              <TimeStamp key={point.at} at={new Date(point.at).toISOString()} isRelative={false} />
            ),
        )}
      </div>
    </div>
  );
}

function chooseTone(change: number): string {
  if (change === 0) return "text-text-3";
  return change > 0 ? "text-up" : "text-down";
}

/** Describes the chart in a sentence. */
function summarize(points: readonly CurvePoint[], period: string): string {
  const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0];
  const values = points.map(({ value }) => value);
  const verb = last === first ? "stayed" : last > first ? "rose" : "fell";
  const change =
    last === first
      ? `at ${formatMoney(last)}`
      : `from ${formatMoney(first)} to ${formatMoney(last)}`;
  const [low, high] = [formatMoney(Math.min(...values)), formatMoney(Math.max(...values))];
  return `The portfolio's value ${verb} ${change} ${period}; lowest ${low}, highest ${high}.`;
}
