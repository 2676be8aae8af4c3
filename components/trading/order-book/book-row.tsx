"use client";

import { memo, type MouseEvent, useEffect, useRef } from "react";
import type { ShownLine } from "@/components/trading/order-book/book-lines";
import { sendToTicket } from "@/lib/browser/ticket-commands";
import { useFlash } from "@/lib/browser/use-flash";

const CELL = "h-7 px-2 text-right lg:h-6";

interface Props {
  line: ShownLine | null;
  side: "bid" | "ask";
  /** Whether phones hide the row. */
  isWideOnly: boolean;
  tokenId: string;
  onOwn: (orderIds: string) => void;
}

/** A line of the book. It renders again only if its text has changed. */
export const BookRow = memo(
  function BookRow({ line, side, isWideOnly, tokenId, onOwn }: Props) {
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
      if (sendToTicket({ kind: "take", tokenId, price, shares })) event.preventDefault();
    };
    return (
      <tr className={`${display} hover:bg-[color-mix(in_oklab,var(--text)_6%,transparent)]`}>
        <td className={`${CELL} relative`}>
          <DepthBar depth={line.depth} side={side} />
          {line.own.length > 0 && <OwnMark line={line} onOwn={onOwn} />}
          <a
            href={`/trade?token=${tokenId}&type=limit&price=${line.price}`}
            onClick={take}
            title="Use this price in the ticket"
            className={`block leading-7 font-[550] lg:leading-6 ${side === "bid" ? "text-up" : "text-down"}`}
          >
            {line.priceText}
          </a>
        </td>
        <SharesCell line={line} />
        <td className={`${CELL} text-text-2`}>{line.totalText}</td>
      </tr>
    );
  },
  (before, after) =>
    before.tokenId === after.tokenId &&
    before.onOwn === after.onOwn &&
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

function OwnMark({ line, onOwn }: { line: ShownLine; onOwn: (orderIds: string) => void }) {
  const count = line.own.length;
  return (
    <button
      type="button"
      onClick={() => onOwn(joinIds(line))}
      aria-label={`${line.priceText} includes ${count === 1 ? "an order" : `${count} orders`} of yours. Show`}
      className="absolute inset-y-0 left-0 grid w-7 place-items-center rounded-control hover:bg-surface-3 lg:w-6"
    >
      <span aria-hidden="true" className="size-2 rounded-pill bg-accent" />
    </button>
  );
}
