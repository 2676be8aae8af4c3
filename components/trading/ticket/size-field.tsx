"use client";

import { SizeChips } from "@/components/trading/ticket/chips";
import { FieldError, findShownIssue } from "@/components/trading/ticket/field-error";
import type { Ticket } from "@/lib/browser/use-ticket";
import { chooseSizeField } from "@/lib/domain/ticket/form";

interface Props {
  ticket: Ticket;
  quickAmounts: readonly number[];
}

/** Large text, centered on a phone. */
const MONEY = "h-14 pl-9 text-amount max-sm:pr-9 max-sm:text-center lg:h-14 lg:text-amount";

/** The size of the order: USDC for a market buy, otherwise shares. */
export function SizeField({ ticket, quickAmounts }: Props) {
  const { form, dispatch, context } = ticket;
  const field = chooseSizeField(form);
  const issue = findShownIssue(ticket, field);
  const isMoney = field === "amount";
  const leave = () => {
    if (form[field] !== "") dispatch({ kind: "leave", field, tick: context.rules.tick });
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={`ticket-${field}`} className="font-[550]">
        {isMoney ? "Amount" : "Shares"}
      </label>
      <div className="relative">
        {isMoney && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-amount text-text-3"
          >
            $
          </span>
        )}
        <input
          // Separate inputs, so that typed shares don't become dollars.
          key={field}
          id={`ticket-${field}`}
          name={field}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder="0"
          value={form[field]}
          aria-invalid={issue ? true : undefined}
          aria-describedby={issue ? `ticket-${field}-error` : undefined}
          onChange={(event) => dispatch({ kind: "type", field, text: event.target.value })}
          onBlur={leave}
          className={`control text-right ${isMoney ? MONEY : ""}`}
        />
      </div>
      <FieldError ticket={ticket} issue={issue} id={`ticket-${field}-error`} />
      <SizeChips ticket={ticket} quickAmounts={quickAmounts} />
    </div>
  );
}
