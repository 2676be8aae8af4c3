import { microToNumber, parseMicro, computePercent, usdc } from "@/lib/units";
import { isCombo } from "@/lib/domain/combo";
import { assert } from "@/lib/errors";

/** The fields of a position that a list needs, as the API's JSON numbers. */
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

export const POSITION_SORTS = ["market", "shares", "price", "value", "pnl", "towin"] as const;

/** The filter and order of a list of positions. */
export interface PositionView {
  /** Words that the market or the outcome must contain. */
  text: string;
  sort: (typeof POSITION_SORTS)[number];
  isDescending: boolean;
  /** From 1 on. */
  page: number;
}

export interface PositionTotals {
  cost: number;
  value: number;
  pnl: number;
  /** Percent of cost; null if the cost is zero. */
  pnlPercent: number | null;
}

/** An unresolved position below a cent is dust, which can hardly be sold. */
const DUST_MICRO = 10_000n;

/** Sums positions, exact to the micro-unit. */
export function computeTotals(positions: readonly ListedPosition[]): PositionTotals {
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
    pnlPercent: cost === 0n ? null : microToNumber(computePercent(usdc(pnl), usdc(cost))),
  };
}

/** Positions in the order in which they are listed. */
export interface ArrangedPositions<P> {
  /** Wins, which can be claimed, before open positions. */
  shown: P[];
  /** Open positions that are dust. */
  tiny: P[];
  /** Resolved positions that pay nothing. */
  lost: P[];
}

/** Filters and sorts positions, and separates those that need no attention. */
export function arrangePositions<P extends ListedPosition>(
  positions: readonly P[],
  view: PositionView,
): ArrangedPositions<P> {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = positions
    .filter((position) => hasWords(position, words))
    .toSorted((a, b) => compare(a, b, view));
  const open = matching.filter(({ redeemable }) => !redeemable);
  return {
    shown: [...matching.filter(hasWon), ...open.filter((position) => !isDust(position))],
    tiny: open.filter(isDust),
    lost: matching.filter((position) => position.redeemable && !hasWon(position)),
  };
}

/** Returns whether a position pays out when it is claimed. */
export const hasWon = ({ redeemable, value }: Pick<ListedPosition, "redeemable" | "value">) =>
  redeemable && value > 0;

/** Returns whether a position is a win that Ante can claim. A combo is claimed at the venue. */
export const isClaimable = (position: Pick<ListedPosition, "id" | "redeemable" | "value">) =>
  hasWon(position) && !isCombo(position.id);

/** Returns whether a position is a loss that Ante can close. */
export const isClosable = (position: Pick<ListedPosition, "id" | "redeemable" | "value">) =>
  position.redeemable && !hasWon(position) && !isCombo(position.id);

function hasWords(position: ListedPosition, words: readonly string[]): boolean {
  const text = `${position.marketTitle} ${position.outcome}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function isDust(position: ListedPosition): boolean {
  return micro(position.value) < DUST_MICRO;
}

function compare(a: ListedPosition, b: ListedPosition, view: PositionView): number {
  const order =
    view.sort === "market"
      ? a.marketTitle.localeCompare(b.marketTitle, "en")
      : getSortKey(a, view.sort) - getSortKey(b, view.sort);
  if (order !== 0) return view.isDescending ? -order : order;
  return a.id < b.id ? -1 : 1;
}

function getSortKey(
  position: ListedPosition,
  sort: Exclude<PositionView["sort"], "market">,
): number {
  switch (sort) {
    case "shares":
    case "towin":
      return position.shares;
    case "price":
      return position.currentPrice;
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
