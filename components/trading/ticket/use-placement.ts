"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { usePreferences } from "@/components/format/preferences";
import { askForPlacement } from "@/lib/client/follow-order";
import { findPending, type PendingOrder } from "@/lib/client/pending-order";
import { showToast, type Toast } from "@/lib/client/toasts";
import type { Ticket } from "@/lib/client/use-ticket";
import { type Clock, closedText } from "@/components/trading/ticket/wording";
import {
  conclude,
  type Desk,
  find,
  type Phase,
  placeReviewed,
  reviewOf,
  send,
  ticketIdOf,
  type TicketActions,
} from "@/components/trading/ticket/placing";

export interface Placement {
  phase: Phase;
  /** Why the last order was refused, or could not be sent. */
  refusal: string | null;
  /** What is known of the last order that was accepted, for as long as nothing else is done. */
  news: Toast | null;
  /** Opens the review of what the fields say. */
  review: () => void;
  /** Places what the fields say without a review. */
  placeNow: () => void;
  confirm: () => void;
  edit: () => void;
  checkAgain: () => void;
  /** Sends the same order once more with the same key: it is placed once, whatever happened. */
  retry: () => void;
  /** Something else is done now: what was said of the last order is over. */
  forget: () => void;
}

/** Takes an order from the ticket's fields to the exchange, once. */
export function usePlacement(ticket: Ticket, actions: TicketActions, firstKey: string): Placement {
  const [phase, setPhase] = useState<Phase>({ kind: "editing" });
  const [refusal, setRefusal] = useState<string | null>(null);
  const { news, announce, update, forgetNews } = useNews();
  const key = useRef(firstKey);
  const exclusively = useExclusively();
  const router = useRouter();
  const refreshPage = () => router.refresh();
  const clock = usePreferences();
  const desk: Desk = {
    ticket,
    actions,
    key,
    clock,
    setPhase,
    setRefusal,
    announce,
    update,
    refreshPage,
  };
  useClosingNews(ticket, clock);
  useFoundAgain(ticketIdOf(ticket), (pending) => exclusively(() => find(desk, pending)));
  const doubted = phase.kind === "unknown" ? phase.pending : null;
  return {
    phase,
    refusal,
    news,
    review: () => {
      const reviewed = reviewOf(ticket.assessment, ticket.context.funds);
      if (!reviewed) return;
      setRefusal(null);
      setPhase({ kind: "reviewing", reviewed });
    },
    placeNow: () => {
      const reviewed = reviewOf(ticket.assessment, ticket.context.funds);
      if (!reviewed) return;
      setRefusal(null);
      exclusively(() => placeReviewed(desk, { ...reviewed, isDirect: true }));
    },
    confirm: () => {
      if (phase.kind === "reviewing") exclusively(() => placeReviewed(desk, phase.reviewed));
    },
    // A dialog also says that it was closed when the order has moved on to another phase.
    edit: () => setPhase((now) => (now.kind === "reviewing" ? { kind: "editing" } : now)),
    checkAgain: () => {
      if (!doubted) return;
      setPhase({ kind: "unknown", pending: doubted, isChecking: true });
      exclusively(async () => {
        const state = await askForPlacement(doubted.input.idempotencyKey).catch(() => null);
        conclude(desk, state, doubted);
      });
    },
    retry: () => {
      if (!doubted) return;
      setPhase({ kind: "unknown", pending: doubted, isChecking: true });
      exclusively(() => send(desk, doubted.input));
    },
    forget: () => {
      setRefusal(null);
      forgetNews();
    },
  };
}

/** One thing at a time. State is too slow against a double click. */
function useExclusively(): (work: () => Promise<void>) => void {
  const isBusy = useRef(false);
  return (work) => {
    if (isBusy.current) return;
    isBusy.current = true;
    void work().finally(() => {
      isBusy.current = false;
    });
  };
}

/** Said wherever the reader is: the page turns to the result, and takes the ticket away. */
function useClosingNews({ market, context }: Ticket, clock: Clock): void {
  const wasAccepting = useRef(context.isAccepting);
  useEffect(() => {
    const isNews = wasAccepting.current && !context.isAccepting;
    wasAccepting.current = context.isAccepting;
    if (!isNews) return;
    const text = closedText(market.closesAt, clock, `“${market.title}”`);
    showToast({ id: `closed ${market.id}`, tone: "info", text });
  }, [market, context.isAccepting, clock]);
}

/** An order that was on its way when the page was loaded anew is looked for, once. */
function useFoundAgain(ticketId: string, look: (pending: PendingOrder) => void): void {
  const latest = useRef(look);
  useEffect(() => {
    const pending = findPending(ticketId);
    if (pending) latest.current(pending);
  }, [ticketId]);
}

/** The last order's news, which the toast tells everywhere and the phone's sheet in place. */
function useNews() {
  const [news, setNews] = useState<Toast | null>(null);
  return {
    news,
    announce: (next: Toast) => {
      showToast(next);
      setNews(next);
    },
    // Who has moved on to another order is told by the toast alone.
    update: (next: Toast) => {
      showToast(next);
      setNews((shown) => (shown?.id === next.id ? next : shown));
    },
    forgetNews: () => setNews(null),
  };
}
