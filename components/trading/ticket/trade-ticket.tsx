"use client";

import { type RefObject, useEffect, useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { ModeBadge } from "@/components/shell/mode-badge";
import type { TicketActions } from "@/components/trading/ticket/placing";
import { ReviewDialog } from "@/components/trading/ticket/review-dialog";
import { useReviewChoice } from "@/components/trading/ticket/review-choice";
import { TicketForm } from "@/components/trading/ticket/ticket-form";
import { TicketSheet, useTicketSheet } from "@/components/trading/ticket/ticket-sheet";
import { usePlacement } from "@/components/trading/ticket/use-placement";
import {
  type Ticket,
  type TicketData,
  useTicket,
  useTicketCommands,
} from "@/lib/browser/use-ticket";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { useTicketOnPage } from "@/lib/browser/ticket-outcome";
import { useDraft } from "@/lib/browser/use-ticket-draft";
import { type FormEvent as TicketEvent, isExpiry } from "@/lib/domain/ticket/form";

interface Props {
  data: TicketData;
  actions: TicketActions;
  /** Created by the server, so that forms without JavaScript have one too. */
  idempotencyKey: string;
  /** The query parameters that the links for browsers without JavaScript keep. */
  keptQuery: Record<string, string>;
}

/**
 * The order ticket. Small screens show it as a sheet over the page. Without JavaScript, it is a form
 * with a separate review page, which small screens show once a link leads to it.
 */
export function TradeTicket({ data, actions, idempotencyKey, keptQuery }: Props) {
  const ticket = useTicket(data, usePreferences());
  const sheet = useTicketSheet();
  const placement = usePlacement({
    ticket,
    actions,
    firstKey: idempotencyKey,
    isInSheet: sheet.isOpen,
  });
  const reviewChoice = useReviewChoice(data.settings.reviewOrders, actions.saveReview);
  const isHydrated = useHydrated();
  const formRef = useRef<HTMLFormElement>(null);
  useTicketCommands(ticket, formRef);
  useEarlyInput(formRef, ticket.dispatch);
  useDraft(ticket);
  useSharedOutcome(ticket);
  // The state lives here, so that the fields can move between page and sheet.
  const form = (
    <TicketForm
      ticket={ticket}
      placement={placement}
      settings={data.settings}
      idempotencyKey={idempotencyKey}
      keptQuery={keptQuery}
      formRef={formRef}
      reviewChoice={reviewChoice}
      isInSheet={sheet.isOpen}
    />
  );
  return (
    <>
      {!sheet.isOpen && (
        <section
          id="ticket"
          tabIndex={-1}
          aria-labelledby="ticket-title"
          className={`card min-w-0 xl:scroll-mt-96 max-lg:hidden ${isHydrated ? "" : "max-lg:target:block"}`}
        >
          <TicketHead ticket={ticket} />
          {form}
          <ReviewDialog ticket={ticket} placement={placement} />
        </section>
      )}
      <TicketSheet
        ticket={ticket}
        placement={placement}
        isOpen={sheet.isOpen}
        onClose={sheet.close}
      >
        {form}
      </TicketSheet>
    </>
  );
}

/** Connects the ticket's outcome with the order book. */
function useSharedOutcome({ market, form, dispatch }: Ticket): void {
  const [, second] = market.outcomes;
  useTicketOnPage(market.outcomes[form.outcome].tokenId, (tokenId) =>
    dispatch({ kind: "choose", choice: { outcome: tokenId === second.tokenId ? 1 : 0 } }),
  );
}

/** Copies input from before hydration into the state. Until then only the form's fields have it. */
function useEarlyInput(
  formRef: RefObject<HTMLFormElement | null>,
  dispatch: (event: TicketEvent) => void,
): void {
  useEffect(() => {
    for (const field of ["amount", "shares", "price", "expires"] as const) {
      const input = formRef.current?.querySelector(`#ticket-${field}`);
      if (input instanceof HTMLInputElement && input.value !== "") {
        dispatch({ kind: "type", field, text: input.value });
      }
    }
    for (const option of ["postOnly", "fillOrKill"] as const) {
      const input = formRef.current?.querySelector(`#ticket-${option}`);
      if (input instanceof HTMLInputElement && input.checked) {
        dispatch({ kind: "switch", option, isOn: true });
      }
    }
    const expiry = formRef.current?.querySelector("#ticket-expiry");
    if (expiry instanceof HTMLSelectElement && isExpiry(expiry.value)) {
      dispatch({ kind: "expire", expiry: expiry.value });
    }
  }, [formRef, dispatch]);
}

/** The account's mode. The page's title already names the market. */
function TicketHead({ ticket }: { ticket: Ticket }) {
  return (
    <header className="flex items-center justify-between gap-3 px-4 pt-3">
      <h2 id="ticket-title" className="text-heading">
        <span className="sr-only">Order ticket: {ticket.market.title}</span>
        <span aria-hidden="true">Trade</span>
      </h2>
      <ModeBadge mode={ticket.mode} />
    </header>
  );
}
