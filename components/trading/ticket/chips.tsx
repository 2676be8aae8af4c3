"use client";

import { formatCount } from "@/components/format/numbers";
import { useHydrated } from "@/lib/browser/use-hydrated";
import type { Ticket } from "@/lib/browser/use-ticket";
import { findBestAsk, findBestBid } from "@/lib/domain/ticket/book";
import { chooseSizeField, type TicketForm } from "@/lib/domain/ticket/form";
import { formatCents } from "@/lib/domain/ticket/price-field";
import { addTo, computeMiddle, computePart } from "@/lib/domain/ticket/sizes";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { toWallTime } from "@/lib/domain/wall-time";
import { formatMicro, type Price, SCALE } from "@/lib/units";

interface Chip {
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
function Chips({ label, chips, onPick }: Props) {
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

interface SizeChipsProps {
  ticket: Ticket;
  /** The largest size that the account can pay for; null while it is unknown. */
  largest: bigint | null;
  quickAmounts: readonly number[];
}

/** Quick sizes: amounts to add, or parts of the position. */
export function SizeChips({ ticket, largest, quickAmounts }: SizeChipsProps) {
  const field = chooseSizeField(ticket.form);
  return (
    <Chips
      label="Quick sizes"
      chips={createSizeChips(ticket.form, largest, quickAmounts)}
      onPick={(text) => ticket.dispatch({ kind: "type", field, text })}
    />
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

const PARTS = [25n, 50n, 75n, 100n] as const;
const SHARE_STEPS = [-100n, -10n, 10n, 100n] as const;

function createSizeChips(
  form: TicketForm,
  largest: bigint | null,
  quickAmounts: readonly number[],
): Chip[] {
  const fill = (percent: bigint) =>
    largest !== null && largest > 0n ? formatMicro(computePart(largest, percent)) : null;
  if (form.action === "SELL") {
    return PARTS.map((percent) => ({
      label: percent === 100n ? "Max" : `${percent}%`,
      text: fill(percent),
    }));
  }
  const typed = readTyped(form[chooseSizeField(form)], true);
  const current = typed.kind === "number" ? typed.micro : 0n;
  const max = { label: "Max", text: fill(100n) };
  if (chooseSizeField(form) === "amount") {
    const added = quickAmounts.map((amount) => ({
      label: `+$${formatCount(amount)}`,
      text: addTo(current, BigInt(amount) * SCALE),
    }));
    return [...added, max];
  }
  const stepped = SHARE_STEPS.map((step) => ({
    label: step < 0n ? `−${-step}` : `+${step}`,
    text: addTo(current, step * SCALE),
  }));
  return [...stepped, max];
}
