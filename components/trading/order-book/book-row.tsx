"use client";

import { memo, type MouseEvent, useEffect, useRef } from "react";
import { Masked } from "@/components/format/values";
import type { ShownLine } from "@/components/trading/order-book/book-lines";
import { sendToTicket } from "@/lib/browser/ticket-commands";
import { useFlash } from "@/lib/browser/use-flash";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";

/** A finger needs more height than a pointer. */
const HEIGHT = "h-7 lg:h-6 pointer-coarse:h-9";
const CELL = `${HEIGHT} px-2 text-right`;

/** The unit of the running totals. */
export type TotalUnit = "dollars" | "shares";

export interface RowHandlers {
  /** Called with the ids of the account's orders in the row. */
  onOwn: (orderIds: string) => void;
  /** Called when the row gets the focus. */
  onFocus: (side: "bid" | "ask", index: number) => void;
}

interface Props {
  line: ShownLine | null;
  side: "bid" | "ask";
  index: number;
  /** Whether phones hide the row. */
  isWideOnly: boolean;
  /** Whether Tab reaches the row. The arrow keys reach all rows. */
  isTabStop: boolean;
  tokenId: string;
  unit: TotalUnit;
  handlers: RowHandlers;
}

/** A line of the book. It renders again only if its text has changed. */
export const BookRow = memo(
  function BookRow({ line, side, index, isWideOnly, isTabStop, tokenId, unit, handlers }: Props) {
    const display = isWideOnly ? "max-lg:hidden" : "";
    // Empty rows keep their height, so that nothing moves when a price arrives.
    if (!line) {
      return (
        <tr aria-hidden="true" className={display}>
          <td className={CELL} colSpan={3} />
        </tr>
      );
    }
    const take = (event: MouseEvent) => {
      const { price, upTo: shares } = line;
      const row = { kind: "take", tokenId, price, shares } as const;
      if (!sendToTicket(row)) return;
      event.preventDefault();
      // The first one sets the price, the second one the shares.
      if (event.shiftKey) sendToTicket(row);
    };
    return (
      <tr className={`${display} hover:bg-[color-mix(in_oklab,var(--text)_6%,transparent)]`}>
        <td className={`${CELL} relative`}>
          <DepthBar depth={line.depth} side={side} />
          {line.own.length > 0 && <OwnMark line={line} onOwn={handlers.onOwn} />}
          <a
            href={`?token=${tokenId}&type=limit&price=${line.price}#ticket`}
            data-level=""
            tabIndex={isTabStop ? 0 : -1}
            onClick={take}
            onFocus={() => handlers.onFocus(side, index)}
            title="Click to use this price. Shift-click to fill in the shares too."
            className={`flex items-center justify-end font-[550] ${HEIGHT} ${side === "bid" ? "text-up" : "text-down"}`}
          >
            {line.priceText}
          </a>
        </td>
        <SharesCell line={line} />
        <td className={`${CELL} text-text-2`}>
          {unit === "dollars" ? line.totalText : line.upToText}
        </td>
      </tr>
    );
  },
  (before, after) =>
    before.tokenId === after.tokenId &&
    before.handlers === after.handlers &&
    before.isTabStop === after.isTabStop &&
    before.unit === after.unit &&
    isSameLine(before.line, after.line),
);

/** Flashes if the shares at a price change, but not if the row's price changes. */
function SharesCell({ line: { price, sharesText } }: { line: ShownLine }) {
  const { ref, flash } = useFlash<HTMLTableCellElement>();
  const previous = useRef({ price, sharesText });
  useEffect(() => {
    const before = previous.current;
    previous.current = { price, sharesText };
    if (price === before.price && sharesText !== before.sharesText) flash("text");
  }, [price, sharesText, flash]);
  return (
    <td ref={ref} className={CELL}>
      {sharesText}
    </td>
  );
}

function isSameLine(a: ShownLine | null, b: ShownLine | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.priceText === b.priceText &&
    a.sharesText === b.sharesText &&
    a.totalText === b.totalText &&
    a.upTo === b.upTo &&
    a.depth === b.depth &&
    a.ownText === b.ownText &&
    joinIds(a) === joinIds(b)
  );
}

const joinIds = (line: ShownLine) => line.own.map(({ id }) => id).join(" ");

/** Spans all three cells, which have the same width. */
function DepthBar({ depth, side }: { depth: number; side: "bid" | "ask" }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="depth-bar pointer-events-none absolute inset-y-0 left-0 -z-10 h-full w-[300%]"
    >
      <rect
        x={100 - depth}
        width={depth}
        height="1"
        className={side === "bid" ? "fill-up" : "fill-down"}
        fillOpacity="0.12"
      />
    </svg>
  );
}

/** The id of the book's heading, which gets the focus when the last own order is gone. */
export const BOOK_HEADING_ID = "order-book-heading";

/** The size of the account's orders in the line. The arrow keys reach it from the price. */
function OwnMark({ line, onOwn }: { line: ShownLine; onOwn: (orderIds: string) => void }) {
  const handover = useFocusHandover({ kind: "own-orders", fallbacks: [BOOK_HEADING_ID] });
  return (
    <button
      {...handover}
      type="button"
      tabIndex={-1}
      onClick={() => onOwn(joinIds(line))}
      className="absolute inset-y-0 left-0 flex min-w-7 max-w-[62%] items-center gap-1 rounded-control px-1.5 hover:bg-surface-3"
    >
      <span className="sr-only">
        Show your orders at {line.priceText}: <Masked>{line.ownText}</Masked> shares
      </span>
      <span aria-hidden="true" className="size-2 shrink-0 rounded-pill bg-accent" />
      <span aria-hidden="true" className="truncate text-caption text-text-2">
        <Masked>{line.ownText}</Masked>
      </span>
    </button>
  );
}
