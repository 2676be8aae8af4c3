import { microToNumber, parseMicro } from "@/lib/units";
import { assert } from "@/lib/errors";

/** What a list of positions needs to know of each, in the interface's JSON numbers. */
export interface ListedPosition {
  id: string;
  marketTitle: string;
  outcome: string;
  shares: number;
  avgPrice: number;
  currentPrice: number;
  value: number;
  pnl: number;
  redeemable: boolean;
}

export const POSITION_SHOWS = ["all", "open", "redeemable"] as const;
export const POSITION_SORTS = [
  "market",
  "shares",
  "price",
  "cost",
  "value",
  "pnl",
  "towin",
] as const;

/** Which positions a list shows, and in which order. */
export interface PositionView {
  show: (typeof POSITION_SHOWS)[number];
  /** Words that the market or the outcome must hold. */
  text: string;
  sort: (typeof POSITION_SORTS)[number];
  isDescending: boolean;
}

export interface PositionTotals {
  cost: number;
  value: number;
  pnl: number;
  /** Percent of cost; null when nothing was paid. */
  pnlPercent: number | null;
}

/** Below a cent an unresolved position is dust: it can hardly be sold. */
const DUST_MICRO = 10_000n;

/** What a position's shares cost: exactly its value less its profit. */
export function costOf(position: ListedPosition): number {
  return microToNumber(micro(position.value) - micro(position.pnl));
}

/** Sums over positions, to the micro-unit. */
export function totalsOf(positions: readonly ListedPosition[]): PositionTotals {
  let [value, pnl] = [0n, 0n];
  for (const position of positions) {
    value += micro(position.value);
    pnl += micro(position.pnl);
  }
  const cost = value - pnl;
  return {
    cost: microToNumber(cost),
    value: microToNumber(value),
    pnl: microToNumber(pnl),
    pnlPercent: cost === 0n ? null : microToNumber((pnl * 100_000_000n) / cost),
  };
}

/** The positions of a view in its order, and apart from them those too small to bother with. */
export function arrangePositions<P extends ListedPosition>(
  positions: readonly P[],
  view: PositionView,
): { shown: P[]; tiny: P[] } {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = positions
    .filter((position) => isOf(position, view.show) && hasWords(position, words))
    .toSorted((a, b) => compare(a, b, view));
  return {
    shown: matching.filter((position) => !isDust(position)),
    tiny: matching.filter(isDust),
  };
}

function isOf(position: ListedPosition, show: PositionView["show"]): boolean {
  return show === "all" || position.redeemable === (show === "redeemable");
}

function hasWords(position: ListedPosition, words: readonly string[]): boolean {
  const text = `${position.marketTitle} ${position.outcome}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function isDust(position: ListedPosition): boolean {
  return !position.redeemable && micro(position.value) < DUST_MICRO;
}

function compare(a: ListedPosition, b: ListedPosition, view: PositionView): number {
  const order =
    view.sort === "market"
      ? a.marketTitle.localeCompare(b.marketTitle, "en")
      : keyOf(a, view.sort) - keyOf(b, view.sort);
  if (order !== 0) return view.isDescending ? -order : order;
  return a.id < b.id ? -1 : 1;
}

function keyOf(position: ListedPosition, sort: Exclude<PositionView["sort"], "market">): number {
  switch (sort) {
    case "shares":
    case "towin":
      return position.shares;
    case "price":
      return position.currentPrice;
    case "cost":
      return costOf(position);
    case "value":
      return position.value;
    case "pnl":
      return position.pnl;
  }
}

function micro(wire: number): bigint {
  const parsed = parseMicro(String(wire));
  assert(parsed.ok, "a number of the interface is a decimal of six places");
  return parsed.micro;
}
