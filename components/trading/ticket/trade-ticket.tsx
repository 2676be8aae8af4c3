"use client";

import { type RefObject, useEffect, useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import type { TicketActions } from "@/components/trading/ticket/placing";
import { ReviewDialog } from "@/components/trading/ticket/review-dialog";
import { TicketForm } from "@/components/trading/ticket/ticket-form";
import { TicketHead } from "@/components/trading/ticket/ticket-head";
import { TicketSheet } from "@/components/trading/ticket/ticket-sheet";
import { usePlacement } from "@/components/trading/ticket/use-placement";
import { useTicketSheet } from "@/components/trading/ticket/use-ticket-sheet";
import {
  type Ticket,
  type TicketData,
  useTicket,
  useTicketCommands,
} from "@/lib/client/use-ticket";
import { useTicketOnPage } from "@/lib/client/ticket-outcome";
import { useDraft } from "@/lib/client/use-ticket-draft";
import type { FormEvent as TicketEvent } from "@/lib/domain/ticket/form";

interface Props {
  data: TicketData;
  actions: TicketActions;
  /** Made by the server, so that a form sent without JavaScript has one as well. */
  idempotencyKey: string;
  /** The address of this page, for the links that make a choice without JavaScript. */
  page: { path: string; query: Record<string, string> };
  /** On a small screen it stays away until something opens it as a sheet over the page. */
  isSheet: boolean;
}

/** The order ticket. Without JavaScript it is a form whose review is a page of its own. */
export function TradeTicket({ data, actions, idempotencyKey, page, isSheet }: Props) {
  const { liveUpdates } = usePreferences();
  const ticket = useTicket(data, liveUpdates);
  const placement = usePlacement(ticket, actions, idempotencyKey);
  const formRef = useRef<HTMLFormElement>(null);
  const sheet = useTicketSheet(isSheet);
  useTicketCommands(ticket, formRef);
  useTextTypedEarly(formRef, ticket.dispatch);
  useDraft(ticket);
  useTokenShown(ticket);
  // The order lives here, whichever of the two places shows its fields.
  const form = (
    <TicketForm
      ticket={ticket}
      placement={placement}
      settings={data.settings}
      idempotencyKey={idempotencyKey}
      page={page}
      formRef={formRef}
      isInSheet={sheet.isOpen}
    />
  );
  return (
    <>
      {!sheet.isOpen && (
        <section
          id="ticket"
          aria-labelledby="ticket-title"
          className={`card min-w-0 ${isSheet ? "max-lg:hidden" : ""}`}
        >
          <TicketHead market={ticket.market} />
          {form}
          <ReviewDialog ticket={ticket} placement={placement} />
        </section>
      )}
      {isSheet && (
        <TicketSheet
          ticket={ticket}
          placement={placement}
          isOpen={sheet.isOpen}
          onClose={sheet.close}
        >
          {form}
        </TicketSheet>
      )}
    </>
  );
}

/** The book beside the ticket shows the outcome that it is for, and turns it to the other one. */
function useTokenShown({ market, form, dispatch }: Ticket): void {
  const [, second] = market.outcomes;
  useTicketOnPage(market.outcomes[form.outcome].tokenId, (tokenId) =>
    dispatch({ kind: "choose", choice: { outcome: tokenId === second.tokenId ? 1 : 0 } }),
  );
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
