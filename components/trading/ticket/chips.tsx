"use client";

import { useHydrated } from "@/lib/browser/use-hydrated";
import type { Ticket } from "@/lib/browser/use-ticket";
import { findBestAsk, findBestBid } from "@/lib/domain/ticket/book";
import { formatCents } from "@/lib/domain/ticket/price-field";
import { computeMiddle } from "@/lib/domain/ticket/sizes";
import { toWallTime } from "@/lib/domain/wall-time";
import type { Price } from "@/lib/units";

export interface Chip {
  label: string;
  /** The field's text after the click; null while it is unknown. */
  text: string | null;
}

interface Props {
  label: string;
  chips: readonly Chip[];
  onPick: (text: string) => void;
}

/** Buttons that fill in a field. They need JavaScript, so they are invisible until hydration. */
export function Chips({ label, chips, onPick }: Props) {
  const isHydrated = useHydrated();
  return (
    <div
      role="group"
      aria-label={label}
      className={`flex flex-wrap gap-1.5 ${isHydrated ? "" : "invisible noscript:hidden"}`}
    >
      {chips.map((chip) => (
        <button
          key={chip.label}
          type="button"
          disabled={chip.text === null}
          onClick={() => chip.text !== null && onPick(chip.text)}
          className="num h-11 min-w-11 flex-1 rounded-control border border-border px-2 text-small text-text-2 hover:bg-surface-2 hover:text-text disabled:opacity-55 lg:h-7"
        >
          {chip.label}
        </button>
      ))}
    </div>
  );
}

/** Quick prices: the best bid, the best ask, and their middle. */
export function PriceChips({ ticket }: { ticket: Ticket }) {
  const { book, rules } = ticket.context;
  const { action } = ticket.form;
  const [bid, ask] = [book && findBestBid(book), book && findBestAsk(book)];
  const middle = bid && ask ? computeMiddle(bid, ask, { action, tick: rules.tick }) : null;
  const createChip = (label: string, at: Price | null) => ({ label, text: at && formatCents(at) });
  return (
    <Chips
      label="Quick prices"
      chips={[createChip("Bid", bid), createChip("Mid", middle), createChip("Ask", ask)]}
      onPick={(text) => ticket.dispatch({ kind: "type", field: "price", text })}
    />
  );
}

const MINUTE_MS = 60_000;
const LIVES = [
  { label: "1 hour", minutes: 60 },
  { label: "1 day", minutes: 24 * 60 },
  { label: "1 week", minutes: 7 * 24 * 60 },
] as const;

/** Quick expiries, counted from the next full minute. */
export function ExpiryChips({ ticket }: { ticket: Ticket }) {
  const { now, zone } = ticket.context;
  const start = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  const chips = LIVES.map(({ label, minutes }) => ({
    label,
    text: toWallTime(start + minutes * MINUTE_MS, zone),
  }));
  return (
    <Chips
      label="Quick expiries"
      chips={chips}
      onPick={(text) => ticket.dispatch({ kind: "type", field: "expires", text })}
    />
  );
}
