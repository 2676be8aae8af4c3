"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { askForPlacement } from "@/lib/client/follow-order";
import { showToast, type Toast } from "@/lib/client/toasts";
import type { Ticket } from "@/lib/client/use-ticket";
import {
  conclude,
  type Desk,
  type Phase,
  placeReviewed,
  reviewOf,
  send,
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
  // State is too slow against a double click.
  const isBusy = useRef(false);
  const router = useRouter();
  const refreshPage = () => router.refresh();
  const desk: Desk = {
    ticket,
    actions,
    key,
    setPhase,
    setRefusal,
    announce,
    update,
    refreshPage,
  };
  const exclusively = (work: () => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    void work().finally(() => {
      isBusy.current = false;
    });
  };
  const doubted = phase.kind === "unknown" ? phase.input : null;
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
      setPhase({ kind: "unknown", input: doubted, isChecking: true });
      exclusively(async () => {
        const none = { state: "none" } as const;
        const state = await askForPlacement(doubted.idempotencyKey).catch(() => none);
        conclude(desk, state, doubted);
      });
    },
    retry: () => {
      if (!doubted) return;
      setPhase({ kind: "unknown", input: doubted, isChecking: true });
      exclusively(() => send(desk, doubted));
    },
    forget: () => {
      setRefusal(null);
      forgetNews();
    },
  };
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
