"use client";

import { formatUtc } from "@/components/format/times";
import { Masked } from "@/components/format/values";
import { BlockNotice } from "@/components/trading/ticket/notices";
import { deedText, moneyText, sharesText } from "@/components/trading/ticket/wording";
import { Button } from "@/components/ui/button";
import { FreshnessDot } from "@/components/ui/freshness-dot";
import { Spinner } from "@/components/ui/spinner";
import type { Ticket } from "@/lib/client/use-ticket";

interface Props {
  ticket: Ticket;
  /** An order is on its way, or its fate is not known. */
  isLocked: boolean;
  /** Something is being waited for. */
  isWorking: boolean;
  /** The order is shown once more before it is placed. */
  isReviewed: boolean;
}

/** The button that says what it will do, and what the account has for it. */
export function SubmitPart({ ticket, isLocked, isWorking, isReviewed }: Props) {
  const { form, market, context, assessment, projection } = ticket;
  const { name } = market.outcomes[form.outcome];
  const { order, block } = assessment;
  const deed = deedText(form.action, {
    order,
    projection,
    outcome: name,
    tick: context.rules.tick,
  });
  const label = isReviewed ? `Review: ${deed}` : deed.replace(/^./, (first) => first.toUpperCase());
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
          <HaveLine ticket={ticket} />
        </p>
        <FreshnessDot dataset="book" at={ticket.book.at} hasError={ticket.book.error !== null} />
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

function HaveLine({ ticket }: { ticket: Ticket }) {
  const { funds } = ticket.context;
  if (!funds) return null;
  if (ticket.form.action === "BUY") {
    return (
      <>
        Available <Masked>{moneyText(funds.available, "down")}</Masked>
      </>
    );
  }
  return (
    <>
      You hold <Masked>{sharesText(funds.free)}</Masked> shares
      {funds.reserved > 0n && (
        <>
          {" "}
          (+ <Masked>{sharesText(funds.reserved)}</Masked> in open orders)
        </>
      )}
    </>
  );
}
