"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { askForPlacement } from "@/lib/client/follow-order";
import type { Ticket } from "@/lib/client/use-ticket";
import {
  conclude,
  type Desk,
  type Phase,
  placeReviewed,
  type PlaceAction,
  reviewOf,
  send,
} from "@/components/trading/ticket/placing";

export interface Placement {
  phase: Phase;
  /** Why the last order was refused, or could not be sent. */
  refusal: string | null;
  /** Opens the review of what the fields say. */
  review: () => void;
  /** Places what the fields say without a review. */
  placeNow: () => void;
  confirm: () => void;
  edit: () => void;
  checkAgain: () => void;
  /** Sends the same order once more with the same key: it is placed once, whatever happened. */
  retry: () => void;
  /** The fields were changed: what was said of the last order is over. */
  forget: () => void;
}

/** Takes an order from the ticket's fields to the exchange, once. */
export function usePlacement(ticket: Ticket, place: PlaceAction, firstKey: string): Placement {
  const [phase, setPhase] = useState<Phase>({ kind: "editing" });
  const [refusal, setRefusal] = useState<string | null>(null);
  const key = useRef(firstKey);
  // State is too slow against a double click.
  const isBusy = useRef(false);
  const router = useRouter();
  const refreshPage = () => router.refresh();
  const desk: Desk = { ticket, place, key, setPhase, setRefusal, refreshPage };
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
    forget: () => setRefusal(null),
  };
}
