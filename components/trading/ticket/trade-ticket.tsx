"use client";

import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { EstimateList } from "@/components/trading/ticket/estimate-list";
import { type HrefOf, ModeSwitches, OutcomeButtons } from "@/components/trading/ticket/modes";
import { Notices } from "@/components/trading/ticket/notices";
import type { PlaceAction } from "@/components/trading/ticket/placing";
import { PriceField } from "@/components/trading/ticket/price-field";
import { ReviewDialog } from "@/components/trading/ticket/review-dialog";
import { SizeField } from "@/components/trading/ticket/size-field";
import { SubmitPart } from "@/components/trading/ticket/submit-part";
import { TicketHead } from "@/components/trading/ticket/ticket-head";
import { UnknownNotice } from "@/components/trading/ticket/unknown-notice";
import { usePlacement } from "@/components/trading/ticket/use-placement";
import {
  type Ticket,
  type TicketData,
  useTicket,
  useTicketCommands,
} from "@/lib/client/use-ticket";
import { useDraft } from "@/lib/client/use-ticket-draft";
import type { FormEvent as TicketEvent } from "@/lib/domain/ticket/form";
import { mustConfirm } from "@/lib/domain/ticket/issues";

interface Props {
  data: TicketData;
  place: PlaceAction;
  /** Made by the server, so that a form sent without JavaScript has one as well. */
  idempotencyKey: string;
  /** The address of this page, for the links that make a choice without JavaScript. */
  page: { path: string; query: Record<string, string> };
}

/** The order ticket. Without JavaScript it is a form whose review is a page of its own. */
export function TradeTicket({ data, place, idempotencyKey, page }: Props) {
  const { liveUpdates } = usePreferences();
  const ticket = useTicket(data, liveUpdates);
  const placement = usePlacement(ticket, place, idempotencyKey);
  const formRef = useRef<HTMLFormElement>(null);
  const { market, form, dispatch, assessment } = ticket;
  useTicketCommands(ticket, formRef);
  useTextTypedEarly(formRef, dispatch);
  useDraft(ticket);
  const { phase } = placement;
  const isLocked = phase.kind === "unknown" || phase.kind === "placing";
  const isReviewed =
    data.settings.reviewOrders ||
    !ticket.account.data.hasOrdered ||
    mustConfirm(assessment.warnings);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isLocked || assessment.block) return;
    if (assessment.order && assessment.issues.length === 0) {
      if (isReviewed) placement.review();
      else placement.placeNow();
      return;
    }
    dispatch({ kind: "send" });
    focusFirstError(formRef);
  };
  const hrefOf = hrefMaker(ticket, page);
  return (
    <section id="ticket" aria-labelledby="ticket-title" className="card min-w-0">
      <TicketHead market={market} />
      <form
        ref={formRef}
        action="/trade/review"
        noValidate
        onSubmit={onSubmit}
        onKeyDown={submitOnCtrlEnter}
        onChange={placement.forget}
        className="flex flex-col gap-4 p-4 pt-3"
      >
        <HiddenFields ticket={ticket} idempotencyKey={idempotencyKey} />
        <div inert={isLocked} className="flex flex-col gap-4">
          <ModeSwitches ticket={ticket} hrefOf={hrefOf} />
          <OutcomeButtons ticket={ticket} hrefOf={hrefOf} />
          {form.type === "limit" && <PriceField ticket={ticket} />}
          <SizeField ticket={ticket} quickAmounts={data.settings.quickAmounts} />
        </div>
        <EstimateList
          order={assessment.order}
          estimate={assessment.estimate}
          projection={ticket.projection}
          context={ticket.context}
        />
        <Notices ticket={ticket} refusal={placement.refusal} />
        <UnknownNotice placement={placement} />
        <SubmitPart
          ticket={ticket}
          isLocked={isLocked}
          isWorking={phase.kind === "placing" || (phase.kind === "unknown" && phase.isChecking)}
          isReviewed={isReviewed}
        />
      </form>
      <ReviewDialog ticket={ticket} placement={placement} />
    </section>
  );
}

/** What the review page of a browser without JavaScript needs besides the fields. */
function HiddenFields({ ticket, idempotencyKey }: { ticket: Ticket; idempotencyKey: string }) {
  const { form, market } = ticket;
  return (
    <>
      <input type="hidden" name="token" value={market.outcomes[form.outcome].tokenId} />
      <input type="hidden" name="side" value={form.action === "BUY" ? "buy" : "sell"} />
      <input type="hidden" name="type" value={form.type} />
      <input type="hidden" name="key" value={idempotencyKey} />
    </>
  );
}

function hrefMaker({ form, market }: Ticket, page: Props["page"]): HrefOf {
  return (choice) => {
    const next = { ...form, ...choice };
    const query = new URLSearchParams({
      ...page.query,
      token: market.outcomes[next.outcome].tokenId,
      side: next.action === "BUY" ? "buy" : "sell",
      type: next.type,
    });
    return `${page.path}?${query.toString()}#ticket`;
  };
}

/** What was typed before the page was taken over is in the fields, but not yet in the state. */
function useTextTypedEarly(
  formRef: RefObject<HTMLFormElement | null>,
  dispatch: (event: TicketEvent) => void,
): void {
  useEffect(() => {
    for (const field of ["amount", "shares", "price"] as const) {
      const input = formRef.current?.querySelector(`#ticket-${field}`);
      if (input instanceof HTMLInputElement && input.value !== "") {
        dispatch({ kind: "type", field, text: input.value });
      }
    }
  }, [formRef, dispatch]);
}

/** The errors are there after the next paint. */
function focusFirstError(formRef: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => {
    formRef.current?.querySelector<HTMLInputElement>("[aria-invalid]")?.focus();
  });
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.currentTarget.requestSubmit();
  }
}
