"use client";

import { useSyncExternalStore } from "react";
import {
  type ChartFrame,
  type Obstacle,
  placeLabel,
  placePrice,
  placeTime,
  toPercent,
  BOX,
} from "@/components/charts/price-points";
import { shortName } from "@/components/charts/event-series";
import { HIDDEN } from "@/components/format/figures";
import { formatOrderPrice, formatPrice, formatShares } from "@/components/format/numbers";
import { useOwnMarket } from "@/components/trading/order-book/own-market";
import { isHidingValues, subscribeToHideValues } from "@/lib/browser/hide-values";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";

interface Props {
  frame: ChartFrame;
  /** The space of the price's line, which no label covers. */
  curve: readonly Obstacle[];
  outcomes: readonly { name: string; tokenId: string }[];
  /** The outcome whose prices the chart shows. The other outcome's prices are one minus these. */
  tokenId: string;
  tickSize: string;
}

type PositionWire = NonNullable<OwnMarketWire["positions"]>[number];
type OrderWire = OwnMarketWire["orders"][number];
type FillWire = OwnMarketWire["fills"][number];

/** The account's entry prices, open orders and fills on the chart. */
export function OwnMarks({ frame, curve, outcomes, tokenId, tickSize }: Props) {
  const { positions, orders, fills } = useOwnMarket();
  const isHiding = useSyncExternalStore(subscribeToHideValues, isHidingValues, () => false);
  const showShares = (shares: number) => (isHiding ? HIDDEN : formatShares(shares));
  const shownName = outcomes.find((outcome) => outcome.tokenId === tokenId)?.name;
  const toShown = (isShown: boolean, at: number) => (isShown ? at : 1 - at);
  const dots = filterSeen(fills, frame).map((fill) => ({
    fill,
    x: placeTime(Date.parse(fill.createdAt), frame),
    y: placePrice(toShown(fill.tokenId === tokenId, fill.price), frame),
  }));
  const entries = (positions ?? []).map((position): PriceLine => {
    const isShown = position.id === tokenId;
    const y = placePrice(toShown(isShown, position.avgPrice), frame);
    return { id: position.id, y, label: formatEntry(position, isShown, tickSize), look: ENTRY };
  });
  const open = orders.flatMap((order): PriceLine[] => {
    // Only these are in the book. An order that waits for approval is not.
    if (order.status !== "open" || order.price === null) return [];
    const isShown = order.outcome === shownName;
    const isBid = (order.action === "BUY") === isShown;
    const y = placePrice(toShown(isShown, order.price), frame);
    const label = formatOrder(order, isShown, showShares);
    return [{ id: order.id, y, label, look: isBid ? BID : ASK }];
  });
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
    >
      {placeLines([...entries, ...chooseNearest(open)], [...curve, ...dots.map(surroundDot)]).map(
        (line) => (
          <LabeledLine key={line.id} {...line} />
        ),
      )}
      {dots.map(({ fill, x, y }) => {
        const [name, look] = chooseDot(fill, outcomes);
        return (
          <circle
            key={fill.id}
            cx={toPercent(x)}
            cy={toPercent(y)}
            r="5"
            strokeWidth="2"
            className={`pointer-events-auto ${look}`}
          >
            <title>{formatFill(fill, name, { tickSize, showShares })}</title>
          </circle>
        );
      })}
    </svg>
  );
}

/** Returns the fills of the chart's period. */
const filterSeen = (fills: readonly FillWire[], { from, to }: Pick<ChartFrame, "from" | "to">) =>
  fills.filter(({ createdAt }) => {
    const at = Date.parse(createdAt);
    return at >= from && at <= to;
  });

/** The color is the outcome's; a buy is filled, a sell is a ring. */
const DOTS = {
  BUY: ["fill-up stroke-surface", "fill-down stroke-surface"],
  SELL: ["fill-surface stroke-up", "fill-surface stroke-down"],
} as const;

/** Returns the name of a fill's outcome and the look of its dot. */
function chooseDot({ action, tokenId }: FillWire, outcomes: Props["outcomes"]) {
  const index = outcomes.findIndex((outcome) => outcome.tokenId === tokenId);
  return [outcomes[index]?.name ?? "", DOTS[action][index === 1 ? 1 : 0]] as const;
}

const fitInside = (y: number) => Math.max(0, Math.min(BOX, y));

/** Half a dot and its ring, in the smallest chart. */
const DOT = 260;

const surroundDot = ({ x, y }: { x: number; y: number }): Obstacle => ({
  left: x - DOT,
  right: x + DOT,
  top: y - DOT,
  bottom: y + DOT,
});

interface PriceLine {
  id: string;
  /** The place of the price, which can be beyond the chart. */
  y: number;
  label: string;
  look: LineLook;
}

interface LineLook {
  stroke: string;
  fill: string;
  dash: string;
}

const ENTRY: LineLook = { stroke: "stroke-text-2", fill: "fill-text-2", dash: "5 4" };
/** An order that buys the chart's outcome or sells the other one. */
const BID: LineLook = { stroke: "stroke-up", fill: "fill-up", dash: "2 3" };
const ASK: LineLook = { stroke: "stroke-down", fill: "fill-down", dash: "2 3" };

/** More orders than these would cover the chart. The list of open orders has all of them. */
const MOST_ORDERS = 4;

/** Returns the orders nearest to the chart, and so the next ones to fill. */
function chooseNearest(orders: readonly PriceLine[]): PriceLine[] {
  const distance = ({ y }: PriceLine) => Math.abs(y - BOX / 2);
  return orders.toSorted((a, b) => distance(a) - distance(b)).slice(0, MOST_ORDERS);
}

/** Places the labels of the lines. They cover neither an obstacle nor each other's lines. */
function placeLines(lines: readonly PriceLine[], obstacles: readonly Obstacle[]) {
  const spaces = lines.map(({ y }) => ({ left: 0, right: BOX, top: y, bottom: y }));
  const taken = [...obstacles, ...spaces];
  return lines.map((line) => {
    const place = placeLabel(fitInside(line.y), taken);
    taken.push(place);
    return { ...line, place };
  });
}

/** A dashed line at a price. If the price is beyond the chart, its label is at the edge, with an arrow. */
function LabeledLine({ y, label, look, place }: PriceLine & { place: Obstacle }) {
  return (
    <g>
      {y === fitInside(y) && (
        <line
          x1="0"
          x2="100%"
          y1={toPercent(y)}
          y2={toPercent(y)}
          strokeDasharray={look.dash}
          className={look.stroke}
        />
      )}
      <text
        x={toPercent(place.left)}
        y={toPercent((place.top + place.bottom) / 2)}
        dx="4"
        dy="4"
        className={`stroke-surface text-caption tabular-nums ${look.fill}`}
        strokeWidth="4"
        paintOrder="stroke"
      >
        {label}
        {y < 0 && " ↑"}
        {y > BOX && " ↓"}
      </text>
    </g>
  );
}

/** Avg 39.0¢; Avg 61.0¢ No */
function formatEntry(position: PositionWire, isShown: boolean, tickSize: string): string {
  const average = formatPrice(position.avgPrice, tickSize, 1);
  return `Avg ${average}${isShown ? "" : ` ${position.outcome}`}`;
}

/** Buy 200 @ 38¢; Buy 200 No @ 61¢ */
function formatOrder(
  { action, shares, filledShares, outcome, price: at, tickSize }: OrderWire,
  isShown: boolean,
  showShares: (shares: number) => string,
) {
  const left = showShares((shares ?? 0) - filledShares);
  const what = isShown ? left : `${left} ${shortName(outcome)}`;
  return `${action === "BUY" ? "Buy" : "Sell"} ${what} @ ${formatOrderPrice(at, tickSize)}`;
}

interface FillFormat {
  tickSize: string;
  showShares: (shares: number) => string;
}

const VERBS = { BUY: "Bought", SELL: "Sold" } as const;

/** Bought 20 Yes at 62¢ */
function formatFill(
  { action, shares, price: at }: FillWire,
  outcome: string,
  { tickSize, showShares }: FillFormat,
) {
  return `${VERBS[action]} ${showShares(shares)} ${outcome} at ${formatOrderPrice(at, tickSize)}`;
}

interface LegendProps {
  outcomes: Props["outcomes"];
  period: Pick<ChartFrame, "from" | "to">;
}

/** Explains the dots of the account's fills. */
export function FillLegend({ outcomes, period }: LegendProps) {
  const kinds = new Map(
    filterSeen(useOwnMarket().fills, period).map((fill) => {
      const [name, look] = chooseDot(fill, outcomes);
      return [`${VERBS[fill.action]} ${name}`, look];
    }),
  );
  if (kinds.size === 0) return null;
  return (
    <ul
      aria-label="Your trades on the chart"
      className="flex flex-wrap gap-x-4 text-small text-text-2"
    >
      {[...kinds].map(([label, look]) => (
        <li key={label} className="flex items-center gap-1.5">
          <svg aria-hidden="true" width="12" height="12">
            <circle cx="6" cy="6" r="4" strokeWidth="2" className={look} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
