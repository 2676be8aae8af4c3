"use client";

import { lazy, Suspense, useMemo } from "react";
import { FieldError, findShownIssue } from "@/components/trading/ticket/field-error";
import { type BuildHref, UnitSwitch } from "@/components/trading/ticket/modes";
import { hasFees } from "@/components/trading/wording";
import { useAfterPress } from "@/lib/browser/use-after-press";
import { useHydrated } from "@/lib/browser/use-hydrated";
import type { Ticket } from "@/lib/browser/use-ticket";
import { findLimit } from "@/lib/domain/ticket/assess";
import type { TicketContext } from "@/lib/domain/ticket/context";
import { chooseSizeField, type TicketForm } from "@/lib/domain/ticket/form";
import { findLargestBuy, type LargestOrder } from "@/lib/domain/ticket/funds";

// They need JavaScript, so the page opens without them.
const SizeTools = lazy(async () => {
  const { SizeTools: component } = await import("@/components/trading/ticket/size-tools");
  return { default: component };
});
/** As high as the tools, so that the fields below them don't move. */
const TOOLS_PLACE = <div className="h-23.5 noscript:hidden lg:h-14.5" />;

interface Props {
  ticket: Ticket;
  quickAmounts: readonly number[];
  buildHref: BuildHref;
}

/** Large text, centered on a phone. */
const LARGE = "h-14 text-amount max-sm:px-9 max-sm:text-center lg:h-14 lg:text-amount";

/** The size of the order: USDC or shares for a market buy, otherwise shares. */
export function SizeField({ ticket, quickAmounts, buildHref }: Props) {
  const { form, dispatch, context } = ticket;
  const field = chooseSizeField(form);
  const issue = findShownIssue(ticket, field);
  const isMoney = field === "amount";
  const { action, type, unit, price } = form;
  // The search over the book is too slow to run with each key.
  const largest = useMemo(
    () => findLargest({ action, type, unit, price }, context),
    [action, type, unit, price, context],
  );
  const afterPress = useAfterPress();
  const isHydrated = useHydrated();
  const leave = () => {
    if (form[field] !== "") dispatch({ kind: "leave", field, tick: context.rules.tick });
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={`ticket-${field}`} className="font-[550]">
          {isMoney ? (hasFees(context.rules) ? "Amount before fee" : "Amount") : "Shares"}
        </label>
        {form.action === "BUY" && form.type === "market" && (
          <UnitSwitch ticket={ticket} buildHref={buildHref} />
        )}
      </div>
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
          onBlur={() => afterPress(leave)}
          className={`control text-right ${form.type === "market" ? LARGE : ""} ${isMoney ? "pl-9" : ""}`}
        />
      </div>
      {isHydrated ? (
        <Suspense fallback={TOOLS_PLACE}>
          <SizeTools ticket={ticket} largest={largest} quickAmounts={quickAmounts} />
        </Suspense>
      ) : (
        TOOLS_PLACE
      )}
      {/* Below the chips: it appears when the field loses the focus, and must not move a pressed chip. */}
      <FieldError ticket={ticket} issue={issue} id={`ticket-${field}-error`} />
    </div>
  );
}

/** Returns the largest order of the account at the ticket's price; null if unknown. */
function findLargest(
  form: Pick<TicketForm, "action" | "type" | "unit" | "price">,
  context: TicketContext,
): LargestOrder | null {
  const { funds } = context;
  if (!funds) return null;
  if (form.action === "SELL") return { size: funds.free, isAllThatFills: false };
  const limit = findLimit(form, context);
  if (limit === null) return null;
  return findLargestBuy({ type: form.type, limit }, chooseSizeField(form), { ...context, funds });
}
