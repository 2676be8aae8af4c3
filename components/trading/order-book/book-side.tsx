"use client";

import type { ShownLine } from "@/components/trading/order-book/book-lines";
import {
  BookRow,
  type RowHandlers,
  type TotalUnit,
} from "@/components/trading/order-book/book-row";
import { useHydrated } from "@/lib/browser/use-hydrated";

/** The number of lines per side of a collapsed book on a phone. */
const PHONE_ROWS = 6;
const HEAD = "h-7 px-2 text-right text-caption text-text-3";

interface Props {
  side: "bid" | "ask";
  /** Best first. */
  lines: readonly (ShownLine | null)[];
  isOpened: boolean;
  /** Whether the market takes orders. */
  isTrading: boolean;
  outcome: string;
  tokenId: string;
  /** The row that Tab reaches; null if it is on the other side. */
  tabStop: number | null;
  unit: TotalUnit;
  onUnit: () => void;
  handlers: RowHandlers;
}

/** The table of bids or asks, with depth bars behind it. */
export function BookSide({ side, lines, isOpened, isTrading, outcome, tokenId, ...props }: Props) {
  const { tabStop, unit, onUnit, handlers } = props;
  const hasArrowKeys = useHydrated();
  const rows = lines.map((line, index) => ({
    line,
    index,
    isWideOnly: !isOpened && index >= PHONE_ROWS,
  }));
  // Asks are above the spread, so the best ask is the last row.
  const inOrder = side === "ask" ? rows.toReversed() : rows;
  const isEmpty = lines.every((line) => line === null);
  return (
    <div className="relative">
      {isEmpty && (
        <p className="absolute inset-x-0 top-1/2 text-center text-small text-text-2">
          {describeEmpty(side, isTrading)}
        </p>
      )}
      <table className="relative w-full table-fixed border-collapse text-small">
        <caption className="sr-only">
          {side === "ask" ? `Offers to sell ${outcome}` : `Bids to buy ${outcome}`}
        </caption>
        <thead className={side === "bid" ? "sr-only" : ""}>
          <tr>
            <th scope="col" className={HEAD}>
              Price
            </th>
            <th scope="col" className={HEAD}>
              Shares
            </th>
            <th scope="col" className={HEAD}>
              {side === "ask" && <UnitButton unit={unit} onUnit={onUnit} />}
              <span className={side === "ask" ? "hidden noscript:inline print:inline" : ""}>
                Total, {unit === "dollars" ? "$" : "shares"}
              </span>
            </th>
          </tr>
        </thead>
        <tbody className="relative">
          {inOrder.map(({ line, index, isWideOnly }) => (
            <BookRow
              key={`${index}${isWideOnly}`}
              line={line}
              side={side}
              index={index}
              isWideOnly={isWideOnly}
              isTabStop={!hasArrowKeys || index === tabStop}
              tokenId={tokenId}
              unit={unit}
              handlers={handlers}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Switches the running totals between dollars and shares. */
function UnitButton({ unit, onUnit }: Pick<Props, "unit" | "onUnit">) {
  const other = unit === "dollars" ? "shares" : "dollars";
  return (
    <button
      type="button"
      onClick={onUnit}
      title={`Show totals in ${other}`}
      className="h-7 rounded-control underline decoration-dotted underline-offset-2 hover:text-text noscript:hidden"
    >
      Total, {unit === "dollars" ? "$" : "shares"}
    </button>
  );
}

function describeEmpty(side: Props["side"], isTrading: boolean): string {
  if (!isTrading) return "Trading has ended";
  return side === "ask" ? "No offers" : "No bids";
}
