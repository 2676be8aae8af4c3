"use client";

import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatUpdated } from "@/components/format/times";
import { Masked } from "@/components/format/values";
import { BlockNotice } from "@/components/trading/ticket/notices";
import type { Progress } from "@/components/trading/ticket/placing";
import {
  createSubmitLabel,
  formatMicroMoney,
  formatMicroShares,
} from "@/components/trading/wording";
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
  /** The state of the last accepted order while the button shows it. */
  progress: Progress | null;
  /** The setting beside the funds. */
  children: ReactNode;
}

/** The submit button, which names the total and then the result, and the account's funds. */
export function SubmitPart({ ticket, isLocked, isWorking, isReviewed, progress, children }: Props) {
  const { form, assessment } = ticket;
  const clock = usePreferences();
  return (
    <div className="flex flex-col gap-2">
      <Button
        type="submit"
        tone={form.action === "BUY" ? "buy" : "sell"}
        size="large"
        isWide
        disabled={isLocked || assessment.block !== null}
        aria-busy={isWorking || progress?.kind === "waiting"}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {isWorking ? (
          <>
            <Spinner /> Placing…
          </>
        ) : progress ? (
          <ProgressLabel progress={progress} />
        ) : (
          <SubmitLabel ticket={ticket} isReviewed={isReviewed} />
        )}
      </Button>
      <BlockNotice ticket={ticket} />
      <div className="flex flex-wrap items-center justify-between gap-x-3 text-small text-text-2">
        <p>
          <FundsLine ticket={ticket} />
        </p>
        {children}
        <noscript>
          <span>Updated {formatUpdated(ticket.book.at, clock)}</span>{" "}
          <a className="link" href="">
            Reload
          </a>
        </noscript>
      </div>
    </div>
  );
}

function SubmitLabel({ ticket, isReviewed }: Pick<Props, "ticket" | "isReviewed">) {
  const { form, market, assessment, projection } = ticket;
  const { name } = market.outcomes[form.outcome];
  const { label, total } = createSubmitLabel(form.action, {
    order: assessment.order,
    projection,
    outcome: name,
  });
  return (
    <>
      <span className="truncate">
        {isReviewed && "Review: "}
        {label}
      </span>
      {total !== null && (
        <span className="num -ml-1 shrink-0">
          · <Masked>{total}</Masked>
        </span>
      )}
    </>
  );
}

function ProgressLabel({ progress }: { progress: Progress }) {
  if (progress.kind === "waiting") {
    return (
      <>
        <Spinner /> Waiting for the exchange…
      </>
    );
  }
  return (
    <>
      <Check aria-hidden="true" className="size-4 shrink-0" />
      <span className="num truncate">{progress.text}</span>
    </>
  );
}

function FundsLine({ ticket }: { ticket: Ticket }) {
  const { funds } = ticket.context;
  if (!funds) return null;
  if (ticket.form.action === "BUY") {
    return (
      <>
        Available <Masked>{formatMicroMoney(funds.available)}</Masked>
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
