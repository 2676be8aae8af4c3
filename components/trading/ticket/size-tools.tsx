"use client";

import { formatCount } from "@/components/format/numbers";
import { type Chip, Chips } from "@/components/trading/ticket/chips";
import { formatTickPrice } from "@/components/trading/wording";
import type { Ticket } from "@/lib/browser/use-ticket";
import { chooseSizeField, type TicketForm } from "@/lib/domain/ticket/form";
import type { LargestOrder } from "@/lib/domain/ticket/funds";
import { addTo, computeNextPart, computePart, computePartPercent } from "@/lib/domain/ticket/sizes";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { formatMicro, SCALE } from "@/lib/units";

interface Props {
  ticket: Ticket;
  /** Null while it is unknown. */
  largest: LargestOrder | null;
  quickAmounts: readonly number[];
}

/** Fills in the size of an order: a slider and quick sizes. Needs JavaScript. */
export function SizeTools({ ticket, largest, quickAmounts }: Props) {
  const { form, context, assessment } = ticket;
  const typed = readTyped(form[chooseSizeField(form)], true);
  const size = typed.kind === "number" ? typed.micro : 0n;
  const sized = { ticket, size, largest: largest && largest.size };
  const isMost = largest?.isAllThatFills && size === computePart(largest.size, 100n);
  return (
    <>
      <SizeSlider {...sized} />
      <SizeChips {...sized} quickAmounts={quickAmounts} />
      {isMost && assessment.order && (
        <p className="text-small text-text-2">
          That is all that fills at {formatTickPrice(assessment.order.limit, context.rules.tick)} or
          better.
        </p>
      )}
    </>
  );
}

interface SizedProps {
  ticket: Ticket;
  size: bigint;
  largest: bigint | null;
}

/** Sizes the order as a percentage of the largest buy or of the position. */
function SizeSlider({ ticket, size, largest }: SizedProps) {
  const { form, dispatch } = ticket;
  const field = chooseSizeField(form);
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
function SizeChips({ ticket, quickAmounts, ...sized }: SizedProps & Pick<Props, "quickAmounts">) {
  const field = chooseSizeField(ticket.form);
  return (
    <Chips
      label="Quick sizes"
      chips={createSizeChips(ticket.form, sized, quickAmounts)}
      onPick={(text) => ticket.dispatch({ kind: "type", field, text })}
    />
  );
}

const PARTS = [25n, 50n, 75n, 100n] as const;
const SHARE_STEPS = [-100n, -10n, 10n, 100n] as const;

function createSizeChips(
  form: TicketForm,
  { size, largest }: Omit<SizedProps, "ticket">,
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
  const max = { label: "Max", text: fill(100n) };
  if (chooseSizeField(form) === "amount") {
    const added = quickAmounts.map((amount) => ({
      label: `+$${formatCount(amount)}`,
      text: addTo(size, BigInt(amount) * SCALE),
    }));
    return [...added, max];
  }
  const stepped = SHARE_STEPS.map((step) => ({
    label: step < 0n ? `−${-step}` : `+${step}`,
    text: addTo(size, step * SCALE),
  }));
  return [...stepped, max];
}
