"use client";

import { useEffect, useRef } from "react";
import { MaskedText } from "@/components/format/masked-text";
import { usePreferences } from "@/components/format/preferences";
import { Masked } from "@/components/format/values";
import { ModeBadge } from "@/components/shell/mode-badge";
import { EstimateList } from "@/components/trading/ticket/estimate-list";
import { OrderSummary } from "@/components/trading/ticket/order-summary";
import type { Reviewed } from "@/components/trading/ticket/review";
import type { Placement } from "@/components/trading/ticket/use-placement";
import {
  formatAverage,
  describeClosed,
  formatMicroMoney,
  formatTickPrice,
  getVerb,
  describeWarning,
} from "@/components/trading/wording";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Spinner } from "@/components/ui/spinner";
import type { Ticket } from "@/lib/browser/use-ticket";
import { notional, type Price } from "@/lib/units";
import { mustConfirm } from "@/lib/domain/ticket/must-review";

export interface ReviewProps {
  ticket: Ticket;
  placement: Placement;
  reviewed: Reviewed;
}

/** The order under review, what it will cost, and the button that places it. */
export function ReviewContent({ ticket, placement, reviewed }: ReviewProps) {
  const isPlacing = placement.phase.kind === "placing";
  const clock = usePreferences();
  useConfirmKey(placement.confirm);
  if (!ticket.context.isAccepting && !isPlacing) {
    return (
      <div className="flex flex-col gap-4">
        <Callout tone="warn" role="alert" title={describeClosed(ticket.market.closesAt, clock)}>
          It no longer accepts orders. Your order wasn&rsquo;t placed.
        </Callout>
        <Button size="large" isWide onClick={placement.edit}>
          Back
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <ReviewBody ticket={ticket} reviewed={reviewed} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row">
        <Button size="large" disabled={isPlacing} onClick={placement.edit}>
          Edit
        </Button>
        <Button
          tone={reviewed.order.action === "BUY" ? "buy" : "sell"}
          size="large"
          className="sm:flex-1"
          disabled={isPlacing}
          aria-busy={isPlacing}
          onClick={placement.confirm}
        >
          {isPlacing ? (
            <>
              <Spinner /> Placing…
            </>
          ) : (
            <ConfirmLabel reviewed={reviewed} />
          )}
        </Button>
      </div>
    </div>
  );
}

/** Ctrl+Enter places the order, wherever the focus is in the review. */
function useConfirmKey(confirm: () => void): void {
  const latest = useRef(confirm);
  useEffect(() => {
    latest.current = confirm;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function ConfirmLabel({ reviewed }: { reviewed: Reviewed }) {
  const { projection } = reviewed;
  return (
    <>
      {chooseConfirmLabel(reviewed)}
      {projection && (
        <span className="num -ml-1">
          · <Masked>{formatMicroMoney(projection.money)}</Masked>
        </span>
      )}
    </>
  );
}

function chooseConfirmLabel({ order, warnings, movedFrom }: Reviewed): string {
  if (movedFrom !== null) return "Place at new price";
  return mustConfirm(warnings) ? `${getVerb(order.action)} anyway` : "Place order";
}

function ReviewBody({ ticket, reviewed }: { ticket: Ticket; reviewed: Reviewed }) {
  const { order, estimate, projection, warnings, movedFrom } = reviewed;
  const { tick } = ticket.context.rules;
  const clock = usePreferences();
  return (
    <>
      {movedFrom !== null && estimate?.average && (
        <Callout tone="warn" role="alert">
          Price moved: {formatAverage(movedFrom, tick)} → {formatAverage(estimate.average, tick)}
        </Callout>
      )}
      <div className="flex flex-col items-start gap-2">
        <ModeBadge mode={ticket.mode} />
        <OrderSummary order={order} rules={ticket.context.rules} clock={clock} />
      </div>
      {warnings.map((warning) => (
        <Callout
          key={warning.kind}
          tone={warning.kind === "fills_now" ? "info" : "warn"}
          title={warning.kind === "impact" && warning.isSevere ? "This moves the price" : undefined}
        >
          <MaskedText text={describeWarning(warning, tick)} />
          {warning.kind === "impact" && <ImpactCost reviewed={reviewed} tick={tick} />}
        </Callout>
      ))}
      <EstimateList
        action={order.action}
        order={order}
        estimate={estimate}
        projection={projection}
        context={ticket.context}
        isReview
      />
    </>
  );
}

/** The cost of the price impact, compared with filling everything at the best price. */
function ImpactCost({ reviewed, tick }: { reviewed: Reviewed; tick: Price }) {
  const { estimate, order } = reviewed;
  if (!estimate || estimate.best === null) return null;
  const extra = formatMicroMoney(notional(estimate.filled, estimate.impact, "up"));
  const word = order.action === "BUY" ? "more" : "less";
  return (
    <span className="block text-small text-text-2">
      Best {formatTickPrice(estimate.best, tick)}: <Masked>{extra}</Masked> {word} than at the best
      price.
    </span>
  );
}
