"use client";

import { Minus, Plus } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { PriceChips } from "@/components/trading/ticket/chips";
import { FieldError, findShownIssue } from "@/components/trading/ticket/field-error";
import { formatTickPrice } from "@/components/trading/wording";
import { useAfterPress } from "@/lib/browser/use-after-press";
import { useHydrated } from "@/lib/browser/use-hydrated";
import type { Ticket } from "@/lib/browser/use-ticket";
import { findBest } from "@/lib/domain/ticket/estimate";
import { ONE, price } from "@/lib/units";

const REPEAT_AFTER_MS = 400;
const REPEAT_EVERY_MS = 60;
const MIDDLE = price(ONE / 2n);

/** Ticks that a key moves the price by. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/** The limit price in cents. Buttons and arrow keys step it along the market's grid. */
export function PriceField({ ticket }: { ticket: Ticket }) {
  const { form, dispatch, context } = ticket;
  const { tick } = context.rules;
  const issue = findShownIssue(ticket, "price");
  const start = (context.book && findBest(context.book, form.action)) ?? MIDDLE;
  const step = (ticks: number) => dispatch({ kind: "step", ticks, tick, start });
  const onKeyDown = (event: KeyboardEvent) => {
    const ticks = KEYS[event.key];
    if (ticks === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(event.shiftKey && Math.abs(ticks) === 1 ? ticks * 10 : ticks);
  };
  const afterPress = useAfterPress();
  const leave = () => {
    if (form.price !== "") dispatch({ kind: "leave", field: "price", tick });
  };
  const by = `by ${formatTickPrice(tick, tick)}`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor="ticket-price" className="font-[550]">
        Limit price
      </label>
      <div className="flex gap-1.5">
        <StepButton label={`Decrease price ${by}`} onStep={() => step(-1)}>
          <Minus aria-hidden="true" className="size-4" />
        </StepButton>
        <div className="relative flex-1">
          <input
            id="ticket-price"
            name="cents"
            type="text"
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
            placeholder="0"
            value={form.price}
            aria-invalid={issue ? true : undefined}
            aria-describedby={issue ? "ticket-price-error" : "ticket-price-note"}
            onChange={(event) =>
              dispatch({ kind: "type", field: "price", text: event.target.value })
            }
            onKeyDown={onKeyDown}
            onBlur={() => afterPress(leave)}
            className="control pr-7 text-right"
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-text-3"
          >
            ¢
          </span>
        </div>
        <StepButton label={`Increase price ${by}`} onStep={() => step(1)}>
          <Plus aria-hidden="true" className="size-4" />
        </StepButton>
      </div>
      <PriceChips ticket={ticket} />
      {/* Below the chips: both appear when the field loses the focus, and must not move a pressed chip. */}
      <FieldError ticket={ticket} issue={issue} id="ticket-price-error" />
      <p id="ticket-price-note" role="status" className="text-small text-text-2 empty:hidden">
        {form.roundedTo === null ? "" : `Rounded to ${formatTickPrice(form.roundedTo, tick)}.`}
      </p>
    </div>
  );
}

interface StepProps {
  label: string;
  onStep: () => void;
  children: ReactNode;
}

/** Steps once per click, and repeatedly while it is held. */
function StepButton({ label, onStep, children }: StepProps) {
  const isHydrated = useHydrated();
  const latest = useRef(onStep);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The click at the end of a long press must not step again.
  const hasRepeated = useRef(false);
  useEffect(() => {
    latest.current = onStep;
  });
  const stop = () => clearTimeout(timer.current);
  useEffect(() => stop, []);
  const repeat = () => {
    hasRepeated.current = true;
    latest.current();
    timer.current = setTimeout(repeat, REPEAT_EVERY_MS);
  };
  return (
    <button
      type="button"
      aria-label={label}
      onPointerDown={() => {
        hasRepeated.current = false;
        timer.current = setTimeout(repeat, REPEAT_AFTER_MS);
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onClick={() => !hasRepeated.current && onStep()}
      className={`grid size-11 shrink-0 touch-manipulation place-items-center rounded-control border border-control text-text-2 hover:bg-surface-2 lg:size-9 noscript:hidden ${isHydrated ? "" : "invisible"}`}
    >
      {children}
    </button>
  );
}
