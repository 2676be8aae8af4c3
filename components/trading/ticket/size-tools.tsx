"use client";

import { formatCount } from "@/components/format/numbers";
import { type Chip, Chips } from "@/components/trading/ticket/chips";
import type { Ticket } from "@/lib/browser/use-ticket";
import { chooseSizeField, type TicketForm } from "@/lib/domain/ticket/form";
import { addTo, computeNextPart, computePart, computePartPercent } from "@/lib/domain/ticket/sizes";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { formatMicro, SCALE } from "@/lib/units";

interface SliderProps {
  ticket: Ticket;
  /** The largest order; null while it is unknown. */
  largest: bigint | null;
}

interface Props extends SliderProps {
  quickAmounts: readonly number[];
}

/** Fills in the size of an order: a slider and quick sizes. Needs JavaScript. */
export function SizeTools({ ticket, largest, quickAmounts }: Props) {
  return (
    <>
      <SizeSlider ticket={ticket} largest={largest} />
      <SizeChips ticket={ticket} largest={largest} quickAmounts={quickAmounts} />
    </>
  );
}

/** Sizes the order as a percentage of the largest buy or of the position. */
function SizeSlider({ ticket, largest }: SliderProps) {
  const { form, dispatch } = ticket;
  const field = chooseSizeField(form);
  const typed = readTyped(form[field], true);
  const size = typed.kind === "number" ? typed.micro : 0n;
  const percent = largest === null ? 0 : computePartPercent(size, largest);
  const whole = form.action === "BUY" ? "the largest buy" : "your position";
  const slide = (next: number) => {
    if (largest === null) return;
    const part = computeNextPart(largest, { size, percent: next });
    dispatch({ kind: "type", field, text: part === 0n ? "" : formatMicro(part) });
  };
  return (
    <div className="flex items-center gap-3">
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        disabled={largest === null || largest <= 0n}
        aria-label={`Percentage of ${whole}`}
        aria-valuetext={`${percent}% of ${whole}`}
        onChange={(event) => slide(event.target.valueAsNumber)}
        className="h-11 min-w-0 flex-1 accent-(--ink) disabled:opacity-55 lg:h-6"
      />
      <span aria-hidden="true" className="num w-[5ch] shrink-0 text-right text-small text-text-2">
        {percent}%
      </span>
    </div>
  );
}

/** Quick sizes: amounts to add, or parts of the position. */
function SizeChips({ ticket, largest, quickAmounts }: Props) {
  const field = chooseSizeField(ticket.form);
  return (
    <Chips
      label="Quick sizes"
      chips={createSizeChips(ticket.form, largest, quickAmounts)}
      onPick={(text) => ticket.dispatch({ kind: "type", field, text })}
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
