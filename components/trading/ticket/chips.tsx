"use client";

import { formatCount } from "@/components/format/numbers";
import { useHydrated } from "@/lib/client/use-hydrated";
import type { Ticket } from "@/lib/client/use-ticket";
import { bestAsk, bestBid } from "@/lib/domain/ticket/book";
import { bestFor } from "@/lib/domain/ticket/estimate";
import { sizeField } from "@/lib/domain/ticket/form";
import { centsText, readPrice } from "@/lib/domain/ticket/price-field";
import { addTo, maxAmount, maxShares, middleOf, shareOf } from "@/lib/domain/ticket/sizes";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { formatMicro, type Price, SCALE } from "@/lib/units";

interface Chip {
  label: string;
  /** What the field says after it; null while that cannot be known. */
  text: string | null;
}

interface Props {
  label: string;
  chips: readonly Chip[];
  onPick: (text: string) => void;
}

/** Buttons that fill in a field. They need JavaScript: until it runs only their room is kept. */
function Chips({ label, chips, onPick }: Props) {
  const isHydrated = useHydrated();
  return (
    <div
      role="group"
      aria-label={label}
      className={`flex flex-wrap gap-1.5 ${isHydrated ? "" : "invisible"}`}
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

/** Quick sizes: money to add, or parts of what is held. */
export function SizeChips({
  ticket,
  quickAmounts,
}: {
  ticket: Ticket;
  quickAmounts: readonly number[];
}) {
  const field = sizeField(ticket.form);
  return (
    <Chips
      label="Quick sizes"
      chips={chipsOf(ticket, quickAmounts)}
      onPick={(text) => ticket.dispatch({ kind: "type", field, text })}
    />
  );
}

/** Quick prices: the best bid, the best offer, and their middle. */
export function PriceChips({ ticket }: { ticket: Ticket }) {
  const { book, rules } = ticket.context;
  const { action } = ticket.form;
  const [bid, ask] = [book && bestBid(book), book && bestAsk(book)];
  const middle = bid && ask ? middleOf(bid, ask, { action, tick: rules.tick }) : null;
  const chip = (label: string, at: Price | null) => ({ label, text: at && centsText(at) });
  return (
    <Chips
      label="Quick prices"
      chips={[chip("Bid", bid), chip("Mid", middle), chip("Ask", ask)]}
      onPick={(text) => ticket.dispatch({ kind: "type", field: "price", text })}
    />
  );
}

const PARTS = [25n, 50n, 75n, 100n] as const;
const SHARE_STEPS = [-100n, -10n, 10n, 100n] as const;

function chipsOf(ticket: Ticket, quickAmounts: readonly number[]): Chip[] {
  const { form, context } = ticket;
  const { funds } = context;
  if (form.action === "SELL") {
    return PARTS.map((percent) => ({
      label: percent === 100n ? "Max" : `${percent}%`,
      text: funds && funds.free > 0n ? formatMicro(shareOf(funds.free, percent)) : null,
    }));
  }
  const typed = readTyped(form[sizeField(form)], true);
  const current = typed.kind === "number" ? typed.micro : 0n;
  const max = { label: "Max", text: maxText(ticket) };
  if (form.type === "market") {
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

/** The most that the available cash buys at the price in question. */
function maxText({ form, context }: Ticket): string | null {
  const { funds, book, rules } = context;
  if (!funds) return null;
  if (form.type === "market") {
    const best = book && bestFor(book, "BUY");
    return best && formatMicro(maxAmount(funds.available, best, rules.feeRate));
  }
  const limit = readPrice(form.price, rules.tick);
  if (limit.kind !== "price") return null;
  return formatMicro(maxShares(funds.available, limit.price, rules.feeRate));
}
