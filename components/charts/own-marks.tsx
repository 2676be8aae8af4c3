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
import { HIDDEN } from "@/components/format/figures";
import { formatPrice, formatShares } from "@/components/format/numbers";
import { useOwnMarket } from "@/components/trading/order-book/own-market";
import { isHidingValues, subscribeToHideValues } from "@/lib/browser/hide-values";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";
import { parseMicroNumber } from "@/lib/domain/ticket/book";
import { complement, microToNumber, price } from "@/lib/units";

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
  const toShown = (isShown: boolean, at: number) =>
    isShown ? at : microToNumber(complement(price(parseMicroNumber(at))));
  const isInside = (at: number) => at >= frame.low && at <= frame.high;
  const seen = fills.filter(({ createdAt }) => {
    const at = Date.parse(createdAt);
    return at >= frame.from && at <= frame.to;
  });
  const dots = seen.map((fill) => ({
    fill,
    x: placeTime(Date.parse(fill.createdAt), frame),
    y: fitInside(placePrice(toShown(fill.tokenId === tokenId, fill.price), frame)),
  }));
  const entries = (positions ?? []).map((position) => {
    const isShown = position.id === tokenId;
    const y = placePrice(toShown(isShown, position.avgPrice), frame);
    return { id: position.id, y, label: formatEntry(position, isShown, tickSize) };
  });
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-visible [&_title]:pointer-events-auto"
    >
      {placeEntries(entries, [...curve, ...dots.map(surroundDot)]).map((entry) => (
        <EntryLine key={entry.id} {...entry} />
      ))}
      {orders.map((order) => {
        const at = order.price === null ? null : toShown(order.outcome === shownName, order.price);
        if (at === null || !isInside(at)) return null;
        const isBid = (order.action === "BUY") === (order.outcome === shownName);
        return (
          <Mark
            key={order.id}
            x={BOX}
            y={placePrice(at, frame)}
            title={formatOrder(order, showShares)}
          >
            <path d="M0 0L-10-5V5Z" className={isBid ? "fill-up" : "fill-down"} />
          </Mark>
        );
      })}
      {dots.map(({ fill, x, y }) => {
        const index = outcomes.findIndex((outcome) => outcome.tokenId === fill.tokenId);
        return (
          <Mark
            key={fill.id}
            x={x}
            y={y}
            title={formatFill(fill, outcomes[index]?.name ?? "", { tickSize, showShares })}
          >
            <circle r="5" strokeWidth="2" className={DOTS[fill.action][index === 1 ? 1 : 0]} />
          </Mark>
        );
      })}
    </svg>
  );
}

/** The color is the outcome's; a buy is filled, a sell is a ring. */
const DOTS = {
  BUY: ["fill-up stroke-surface", "fill-down stroke-surface"],
  SELL: ["fill-surface stroke-up", "fill-surface stroke-down"],
} as const;

const fitInside = (y: number) => Math.max(0, Math.min(BOX, y));

/** Half a dot and its ring, in the smallest chart. */
const DOT = 260;

const surroundDot = ({ x, y }: { x: number; y: number }): Obstacle => ({
  left: x - DOT,
  right: x + DOT,
  top: y - DOT,
  bottom: y + DOT,
});

interface Entry {
  id: string;
  /** The place of the average price, which can be beyond the chart. */
  y: number;
  label: string;
}

/** Places the labels of the entry prices. They cover neither an obstacle nor each other's lines. */
function placeEntries(entries: readonly Entry[], obstacles: readonly Obstacle[]) {
  const lines = entries.map(({ y }) => ({ left: 0, right: BOX, top: y, bottom: y }));
  const taken = [...obstacles, ...lines];
  return entries.map((entry) => {
    const place = placeLabel(fitInside(entry.y), taken);
    taken.push(place);
    return { ...entry, place };
  });
}

/** A dashed line at the average price; at the chart's edge, with an arrow, if it is beyond. */
function EntryLine({ y, label, place }: Entry & { place: Obstacle }) {
  return (
    <g>
      {y === fitInside(y) && (
        <line
          x1="0"
          x2="100%"
          y1={toPercent(y)}
          y2={toPercent(y)}
          strokeDasharray="5 4"
          className="stroke-text-2"
        />
      )}
      <text
        x={toPercent(place.left)}
        y={toPercent((place.top + place.bottom) / 2)}
        dx="4"
        dy="4"
        className="fill-text-2 stroke-surface text-caption tabular-nums"
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

interface MarkProps {
  x: number;
  y: number;
  title: string;
  children: React.ReactNode;
}

/** A shape that is drawn around the origin and moved to its place. */
function Mark({ x, y, title, children }: MarkProps) {
  return (
    <svg x={toPercent(x)} y={toPercent(y)} className="pointer-events-auto overflow-visible">
      <title>{title}</title>
      {children}
    </svg>
  );
}

/** Avg 39.0¢; Avg 61.0¢ No */
function formatEntry(position: PositionWire, isShown: boolean, tickSize: string): string {
  const average = formatPrice(position.avgPrice, tickSize, 1);
  return `Avg ${average}${isShown ? "" : ` ${position.outcome}`}`;
}

/** Buy 200 Yes at 38¢ */
function formatOrder(
  { action, shares, filledShares, outcome, price: at, tickSize }: OrderWire,
  showShares: (shares: number) => string,
) {
  const left = showShares((shares ?? 0) - filledShares);
  return `${action === "BUY" ? "Buy" : "Sell"} ${left} ${outcome} at ${formatPrice(at, tickSize)}`;
}

interface FillFormat {
  tickSize: string;
  showShares: (shares: number) => string;
}

/** Bought 20 Yes at 62¢ */
function formatFill(
  { action, shares, price: at }: FillWire,
  outcome: string,
  { tickSize, showShares }: FillFormat,
) {
  const verb = action === "BUY" ? "Bought" : "Sold";
  return `${verb} ${showShares(shares)} ${outcome} at ${formatPrice(at, tickSize)}`;
}

interface LegendProps {
  outcomes: Props["outcomes"];
}

/** Explains the dots of the account's fills. */
export function FillLegend({ outcomes }: LegendProps) {
  const { fills } = useOwnMarket();
  const kinds = outcomes.flatMap(({ name, tokenId }, index) =>
    (["BUY", "SELL"] as const)
      .filter((action) => fills.some((fill) => fill.tokenId === tokenId && fill.action === action))
      .map((action) => ({
        label: `${action === "BUY" ? "Bought" : "Sold"} ${name}`,
        look: DOTS[action][index === 1 ? 1 : 0],
      })),
  );
  if (kinds.length === 0) return null;
  return (
    <ul
      aria-label="Your trades on the chart"
      className="flex flex-wrap gap-x-4 text-small text-text-2"
    >
      {kinds.map(({ label, look }) => (
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
