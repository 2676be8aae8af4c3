import { formatPrice } from "@/components/format/numbers";
import {
  differsFromRows,
  type PositionFigures,
  showPosition,
  showTotals,
  subtractExactly,
} from "@/components/format/sums";
import { Money } from "@/components/format/values";
import { Badge } from "@/components/ui/badge";
import type { FormAction } from "@/components/ui/action-form";
import { isCombo } from "@/lib/domain/combo";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import type { PositionWire } from "@/lib/browser/use-positions";
import { computeTotals, hasWon } from "@/lib/domain/position-list";

/** Details of a position that the server reads. */
export interface PositionDetail {
  /** The market's tick size, for the decimals of prices. */
  tick: string;
  /** The last days' prices, oldest first. */
  trail: readonly number[];
}

/** The context of a list of positions. */
export interface PositionListProps {
  positions: readonly PositionWire[];
  /** All positions of the total, if the list is one page of them or folds some. */
  totalOf?: readonly PositionWire[] | undefined;
  /** Positions that are folded elsewhere on the page and are part of the list's total. */
  folds?: readonly FoldedPositions[] | undefined;
  /** The shown totals of `totalOf`. */
  totals: PositionFigures;
  /** Details of positions, by position id. */
  details: ReadonlyMap<string, PositionDetail>;
  /** Claims or closes a position; null if only the venue's own page can. */
  claim: FormAction | null;
  /** The markets whose live claim is in progress, by condition id. */
  claiming: readonly string[];
}

/** Whether a claim of the position's market is in progress. It is not offered again meanwhile. */
export const isClaiming = (
  { claiming }: Pick<PositionListProps, "claiming">,
  { conditionId }: Pick<PositionWire, "conditionId">,
): boolean => claiming.includes(conditionId);

/** Positions that need no attention, folded into one line. */
interface FoldedPositions {
  /** "2 settled at $0.00, listed below" */
  label: string;
  positions: readonly PositionWire[];
}

/** Returns the total of a list, and the figures of the folded positions, which are part of it. */
export function buildTotalLines({
  positions: listed,
  totalOf: positions = listed,
  folds = [],
  totals,
}: PositionListProps) {
  return {
    folds: folds.map(({ label, positions: folded }) => ({
      label,
      ...showTotals(folded),
    })),
    total: {
      label: `Total of ${positions.length} ${positions.length === 1 ? "position" : "positions"}`,
      ...totals,
      percent: computeTotals(positions).pnlPercent,
      isRounded: isRounded(positions, totals),
    },
  };
}

/** Whether the shown total misses its rows, or the difference of its value and cost. */
const isRounded = (positions: readonly PositionWire[], totals: PositionFigures) =>
  differsFromRows(["cost", "value", "pnl"], positions.map(showPosition), totals) ||
  subtractExactly(totals.value, totals.cost) !== totals.pnl;

/** The finest common tick size. */
export const UNKNOWN_TICK = "0.001";

/** A new position until the next render. */
const UNKNOWN_DETAIL: PositionDetail = { tick: UNKNOWN_TICK, trail: [] };

export const getDetail = (
  details: PositionListProps["details"],
  { id }: Pick<PositionWire, "id">,
): PositionDetail => details.get(id) ?? UNKNOWN_DETAIL;

/** The position's outcome, and whether it won. */
export function OutcomeBadges({ position }: { position: PositionWire }) {
  return (
    <>
      <Badge>{position.outcome}</Badge>
      {isCombo(position.id) && <Badge>Combo</Badge>}
      {hasWon(position) && <Badge tone="up">Won</Badge>}
    </>
  );
}

interface AverageToNowProps {
  position: PositionWire;
  /** The market's tick size. Prices have up to one decimal more than it, so one on the grid is exact. */
  tick: string;
}

/** 40¢ → 62.5¢ */
export function AverageToNow({ position, tick }: AverageToNowProps) {
  const { avgPrice, currentPrice } = position;
  const [average = "", current = ""] = [avgPrice, currentPrice].map((price) =>
    formatPrice(price, tick, 1),
  );
  const spoken = (cents: string) => cents.replace("¢", " cents");
  return (
    <span
      role="img"
      aria-label={`average ${spoken(average)}, now ${spoken(current)}`}
      className="num whitespace-nowrap"
    >
      {average} <span className="text-text-3">→</span> {current}
    </span>
  );
}

/** The payout of a win: one dollar per share. */
export function ToWin({ position }: { position: PositionWire }) {
  return <Money usdc={position.redeemable ? position.value : position.shares} />;
}

/** Stands for the actions of a combo, in two short lines. */
export function ComboNote() {
  return (
    <span className="w-24 shrink-0 text-right text-small leading-tight whitespace-normal text-text-2">
      Managed on polymarket.com
    </span>
  );
}

/** The ticket with this position's token. */
export const buildPositionHref = (
  { id, marketSlug }: Pick<PositionWire, "id" | "marketSlug">,
  side: "sell" | "buy",
) => buildTicketHref(marketSlug, { token: id, side });

/** "Yes, Will it rain?", for labels. */
export const nameOf = ({ outcome, marketTitle }: PositionWire) => `${outcome}, ${marketTitle}`;
