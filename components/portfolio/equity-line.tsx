import type { z } from "zod";
import { buildStepPath, fitValueScale, placeValues } from "@/components/charts/chart-scale";
import { BOX } from "@/components/charts/price-points";
import { formatCount, formatMoney } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money } from "@/components/format/values";
import { EquityCursor } from "@/components/portfolio/equity-cursor";
import { getRange } from "@/components/portfolio/equity-range";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { EquityCurve } from "@/lib/schemas/portfolio";

export type EquityCurveWire = z.input<typeof EquityCurve>;

/** A shorter history is no chart yet. */
const LEAST_SPAN_MS = 10 * 60_000;

/** Returns whether a curve is long enough to be drawn. */
export function isDrawable({ points }: EquityCurveWire): boolean {
  const [first, last] = [points[0], points.at(-1)];
  return Boolean(first && last && Date.parse(last.at) - Date.parse(first.at) >= LEAST_SPAN_MS);
}

/**
 * The account's value over time, drawn by the server without the deposits, so that a deposit is no jump.
 * The dashed baseline is the range's start: the line is green above it and red below.
 */
export function EquityLine({ curve }: { curve: EquityCurveWire }) {
  const points = curve.points.map(({ at, value, paidIn }) => ({
    at: Date.parse(at),
    value: value - paidIn,
  }));
  // An account's whole life starts without profit, even if its first point is after a trade.
  const start = curve.isWhole ? 0 : (points[0]?.value ?? 0);
  const scale = fitValueScale(points, start);
  const places = placeValues(points, scale);
  const path = buildStepPath(places);
  const baseline = scale.y(start);
  const [first, last] = [curve.points[0], curve.points.at(-1)];
  return (
    <figure>
      <div className="relative h-16 sm:h-18">
        <svg
          role="img"
          aria-label={summarize(curve)}
          viewBox={`0 0 ${BOX} ${BOX}`}
          preserveAspectRatio="none"
          className="size-full"
        >
          <line
            x1="0"
            x2={BOX}
            y1={baseline}
            y2={baseline}
            strokeDasharray="4 4"
            className="stroke-control"
            vectorEffect="non-scaling-stroke"
          />
          {SIDES.map(({ id, isAbove, fill, stroke }) => (
            <g key={id} clipPath={`url(#${id})`}>
              <clipPath id={id}>
                <rect
                  y={isAbove ? 0 : baseline}
                  width={BOX}
                  height={isAbove ? baseline : BOX - baseline}
                />
              </clipPath>
              <path d={`${path}V${baseline}H0Z`} className={fill} fillOpacity="0.1" stroke="none" />
              <path
                d={path}
                fill="none"
                className={stroke}
                strokeWidth="2"
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
            </g>
          ))}
        </svg>
        <EquityCursor
          points={curve.points.map(({ at, value }, index) => ({
            x: places[index]?.x ?? 0,
            y: places[index]?.y ?? 0,
            at,
            value,
          }))}
          outcomes={curve.outcomes}
          trades={curve.trades}
        />
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-3 text-caption text-text-3">
        {first && <TimeStamp at={first.at} isRelative={false} />}
        {curve.deposited !== 0 && <span className="max-sm:hidden">Deposits excluded</span>}
        <details className="open:order-last open:w-full">
          <summary className="relative -my-1 inline-flex min-h-6 list-none items-center underline decoration-dotted underline-offset-4 hover:text-text">
            Show as table
          </summary>
          <EquityTable curve={curve} />
        </details>
        {last && <TimeStamp at={last.at} isRelative={false} />}
      </figcaption>
    </figure>
  );
}

/** The line above the baseline, and below it. */
const SIDES = [
  { id: "equity-gain", isAbove: true, fill: "fill-up", stroke: "stroke-up" },
  { id: "equity-loss", isAbove: false, fill: "fill-down", stroke: "stroke-down" },
] as const;

/** Every eighth sample and the last one are in the table. */
const TABLE_STEP = 8;

/** The chart's values for screen readers and for copying. */
function EquityTable({ curve }: { curve: EquityCurveWire }) {
  const last = curve.points.length - 1;
  const rows = curve.points
    .map((point, index) => ({ ...point, index }))
    .filter(({ index }) => index === last || index % TABLE_STEP === 0);
  const fills = rows.map(({ index }, row) => countFills(curve, rows[row - 1]?.index ?? -1, index));
  return (
    <Table
      caption="Portfolio value over time"
      head={
        <tr>
          <HeadCell>Time</HeadCell>
          <HeadCell isNumeric>Deposits</HeadCell>
          <HeadCell isNumeric>Fills</HeadCell>
          <HeadCell isNumeric>Value</HeadCell>
        </tr>
      }
    >
      {rows.map(({ at, value, paidIn }, row) => (
        <Row key={at}>
          <Cell>
            <TimeStamp at={at} isRelative={false} />
          </Cell>
          <Cell isNumeric>
            <Money usdc={paidIn} />
          </Cell>
          <Cell isNumeric>{formatCount(fills[row] ?? 0)}</Cell>
          <Cell isNumeric>
            <Money usdc={value} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Counts the fills after one point up to another. */
function countFills({ trades }: EquityCurveWire, after: number, upTo: number): number {
  return trades
    .filter(({ point }) => point > after && point <= upTo)
    .reduce((count, { fills }) => count + fills, 0);
}

/** Describes the chart in a sentence. Its points are samples, so its extremes are not those of the range. */
function summarize(curve: EquityCurveWire): string {
  const values = curve.points.map(({ value }) => value);
  const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
  const verb = last === first ? "stayed" : last > first ? "rose" : "fell";
  const change =
    last === first
      ? `at ${formatMoney(last)}`
      : `from ${formatMoney(first)} to ${formatMoney(last)}`;
  return `The portfolio’s value ${verb} ${change} ${getRange(curve).period}.`;
}
