"use client";

import { useEffect, useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { EstimateList } from "@/components/trading/ticket/estimate-list";
import type { Reviewed } from "@/components/trading/ticket/placing";
import type { Placement } from "@/components/trading/ticket/use-placement";
import {
  averageText,
  closedText,
  moneyText,
  orderWords,
  priceText,
  verbOf,
  warningText,
} from "@/components/trading/ticket/wording";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import type { Ticket } from "@/lib/client/use-ticket";
import { mustConfirm } from "@/lib/domain/ticket/issues";
import { notional, type Price } from "@/lib/units";

interface Props {
  ticket: Ticket;
  placement: Placement;
}

/** The last look at an order before it is placed. Nothing is placed unless its button is pressed. */
export function ReviewDialog({ ticket, placement }: Props) {
  const reviewed = reviewedIn(placement);
  return (
    <Dialog
      title={reviewTitle(ticket)}
      isOpen={reviewed !== null}
      onClose={placement.edit}
      isBusy={placement.phase.kind === "placing"}
      isSheet
    >
      {reviewed && <ReviewContent ticket={ticket} placement={placement} reviewed={reviewed} />}
    </Dialog>
  );
}

/** The order that is being confirmed, if one is. */
export function reviewedIn({ phase }: Placement): Reviewed | null {
  const shown = phase.kind === "reviewing" || phase.kind === "placing" ? phase.reviewed : null;
  return shown?.isDirect ? null : shown;
}

export function reviewTitle({ market, form }: Ticket): string {
  return `${verbOf(form.action)} ${market.outcomes[form.outcome].name} — ${market.title}`;
}

/** What the review says and asks, wherever it is shown. */
export function ReviewContent({ ticket, placement, reviewed }: Props & { reviewed: Reviewed }) {
  const isPlacing = placement.phase.kind === "placing";
  const clock = usePreferences();
  useConfirmKey(placement.confirm);
  if (!ticket.context.isAccepting && !isPlacing) {
    return (
      <div className="flex flex-col gap-4">
        <Callout tone="warn" role="alert" title={closedText(ticket.market.closesAt, clock)}>
          It takes no orders any more. Nothing was placed.
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
            confirmLabel(reviewed)
          )}
          <span className="font-normal">· {ticket.mode}</span>
        </Button>
      </div>
    </div>
  );
}

/** Control and Enter place the order from anywhere in the review, its heading included. */
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

function confirmLabel({ order, warnings, movedFrom }: Reviewed): string {
  if (movedFrom !== null) return "Place at new price";
  return mustConfirm(warnings) ? `${verbOf(order.action)} anyway` : "Place order";
}

function ReviewBody({ ticket, reviewed }: { ticket: Ticket; reviewed: Reviewed }) {
  const { order, estimate, projection, warnings, movedFrom } = reviewed;
  const { tick } = ticket.context.rules;
  return (
    <>
      {movedFrom !== null && estimate?.average && (
        <Callout tone="warn" role="alert">
          Price moved: {averageText(movedFrom, tick)} → {averageText(estimate.average, tick)}
        </Callout>
      )}
      <p>{orderWords(order, tick)}</p>
      {warnings.map((warning) => (
        <Callout
          key={warning.kind}
          tone={warning.kind === "fills_now" ? "info" : "warn"}
          title={warning.kind === "impact" && warning.isSevere ? "This moves the price" : undefined}
        >
          {warningText(warning, tick)}
          {warning.kind === "impact" && <ImpactCost reviewed={reviewed} tick={tick} />}
        </Callout>
      ))}
      <EstimateList
        order={order}
        estimate={estimate}
        projection={projection}
        context={ticket.context}
      />
    </>
  );
}

/** What the order pays more, or gets less, than if all of it filled at the best price. */
function ImpactCost({ reviewed, tick }: { reviewed: Reviewed; tick: Price }) {
  const { estimate, order } = reviewed;
  if (!estimate || estimate.best === null) return null;
  const extra = moneyText(notional(estimate.filled, estimate.impact, "up"), "up");
  const word = order.action === "BUY" ? "more" : "less";
  return (
    <span className="block text-small text-text-2">
      Best {priceText(estimate.best, tick)}: {extra} {word} than at the best price.
    </span>
  );
}
