"use client";

import type { Ticket } from "@/lib/browser/use-ticket";
import { chooseSizeField } from "@/lib/domain/ticket/form";
import { computeNextPart, computePartPercent } from "@/lib/domain/ticket/sizes";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { formatMicro } from "@/lib/units";

interface Props {
  ticket: Ticket;
  /** The largest size that the account can pay for; null while it is unknown. */
  largest: bigint | null;
}

/** Sizes the order as a percentage of the available cash or shares. Needs JavaScript. */
export function SizeSlider({ ticket, largest }: Props) {
  const { form, dispatch } = ticket;
  const field = chooseSizeField(form);
  const typed = readTyped(form[field], true);
  const size = typed.kind === "number" ? typed.micro : 0n;
  const percent = largest === null ? 0 : computePartPercent(size, largest);
  const whole = form.action === "BUY" ? "available cash" : "your position";
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
