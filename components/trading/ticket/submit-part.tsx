"use client";

import { formatUtc } from "@/components/format/times";
import { Masked } from "@/components/format/values";
import { BlockNotice } from "@/components/trading/ticket/notices";
import {
  formatSubmitLabel,
  formatMicroMoney,
  formatMicroShares,
} from "@/components/trading/ticket/wording";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { Ticket } from "@/lib/browser/use-ticket";

interface Props {
  ticket: Ticket;
  /** Whether an order is being placed, or its outcome is unknown. */
  isLocked: boolean;
  /** Whether a request is running. */
  isWorking: boolean;
  /** Whether the order is reviewed before it is placed. */
  isReviewed: boolean;
}

/** The submit button, which describes the order, and the account's funds. */
export function SubmitPart({ ticket, isLocked, isWorking, isReviewed }: Props) {
  const { form, market, context, assessment, projection } = ticket;
  const { name } = market.outcomes[form.outcome];
  const { order, block } = assessment;
  const submitLabel = formatSubmitLabel(form.action, {
    order,
    projection,
    outcome: name,
    tick: context.rules.tick,
  });
  const label = isReviewed
    ? `Review: ${submitLabel}`
    : submitLabel.replace(/^./, (first) => first.toUpperCase());
  return (
    <div className="flex flex-col gap-2">
      <Button
        type="submit"
        tone={form.action === "BUY" ? "buy" : "sell"}
        size="large"
        isWide
        disabled={isLocked || block !== null}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        className="h-auto min-h-11 py-2"
      >
        {isWorking && <Spinner />}
        <span className="num min-w-0 break-words whitespace-normal">
          {isWorking ? (
            "Placing…"
          ) : (
            <>
              <span className="masked-value">{label}</span>
              <span className="masked-dots">{isReviewed ? "Review order" : "Place order"}</span>
            </>
          )}{" "}
          <span className="font-normal whitespace-nowrap">· {ticket.mode}</span>
        </span>
      </Button>
      <BlockNotice ticket={ticket} />
      <div className="flex flex-wrap items-center justify-between gap-x-3 text-small text-text-2">
        <p>
          <FundsLine ticket={ticket} />
        </p>
        <noscript>
          <span>Updated {formatUtc(new Date(ticket.book.at).toISOString())}</span>{" "}
          <a className="link" href="">
            Reload
          </a>
        </noscript>
      </div>
    </div>
  );
}

function FundsLine({ ticket }: { ticket: Ticket }) {
  const { funds } = ticket.context;
  if (!funds) return null;
  if (ticket.form.action === "BUY") {
    return (
      <>
        Available <Masked>{formatMicroMoney(funds.available, "down")}</Masked>
      </>
    );
  }
  return (
    <>
      You hold <Masked>{formatMicroShares(funds.free)}</Masked> shares
      {funds.reserved > 0n && (
        <>
          {" "}
          (+ <Masked>{formatMicroShares(funds.reserved)}</Masked> in open orders)
        </>
      )}
    </>
  );
}
