"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { usePreferences } from "@/components/format/preferences";
import { markUnsentOrder } from "@/lib/browser/fetcher";
import { createTicketId, findPending, type PendingOrder } from "@/lib/browser/pending-order";
import { dismissToast, showToast, type Toast } from "@/lib/browser/toasts";
import type { Ticket } from "@/lib/browser/use-ticket";
import { type Clock, describeClosed } from "@/components/trading/wording";
import { createReview, type Reviewed } from "@/components/trading/ticket/review";
import type {
  PlacementContext,
  Phase,
  Progress,
  TicketActions,
} from "@/components/trading/ticket/placing";

export interface Placement {
  phase: Phase;
  /** Why the last order was rejected or could not be sent. */
  refusal: string | null;
  /** The latest toast of the last accepted order, until the user does something else. */
  lastToast: Toast | null;
  /** Opens the review of the order. */
  review: () => void;
  /** Places the order without a review. */
  placeNow: () => void;
  confirm: () => void;
  edit: () => void;
  checkAgain: () => void;
  /** Sends the same order again with the same key, so that it is placed only once. */
  retry: () => void;
  /** The state of the last accepted order while the submit button shows it. */
  progress: Progress | null;
  /** Clears the result of the last order. */
  forget: () => void;
}

interface Options {
  ticket: Ticket;
  actions: TicketActions;
  /** The idempotency key of the first order. */
  firstKey: string;
  /** Whether the ticket is in a sheet, which shows an order's result itself. */
  isInSheet: boolean;
}

/** Places the ticket's order, exactly once. */
export function usePlacement({ ticket, actions, firstKey, isInSheet }: Options): Placement {
  const [phase, setPhase] = useState<Phase>(EDITING);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { lastToast, announce, update, clearToast } = useOrderToast(isInSheet);
  const key = useRef(firstKey);
  const withPlacing = usePlacing(ticket, () => {
    setRefusal(UNLOADED_TEXT);
    setPhase((now) => (now.kind === "unknown" ? { ...now, isChecking: false } : EDITING));
  });
  const [progress, setProgress] = useProgress();
  const router = useRouter();
  const clock = usePreferences();
  const context: PlacementContext = {
    ticket,
    actions,
    key,
    clock,
    setPhase,
    setRefusal,
    setProgress,
    announce,
    update,
    refreshPage: () => router.refresh(),
  };
  const isUnsent = phase.kind === "reviewing" || phase.kind === "placing";
  useEffect(() => {
    markUnsentOrder(isUnsent);
    return () => markUnsentOrder(false);
  }, [isUnsent]);
  useClosingToast(ticket, clock);
  useResume(createTicketId(ticket), (pending) =>
    withPlacing(({ recover }) => recover(context, pending)),
  );
  const unknown = phase.kind === "unknown" ? phase.pending : null;
  const place = (reviewed: Reviewed) => {
    setPhase({ kind: "placing", reviewed });
    withPlacing(({ placeReviewed }) => placeReviewed(context, reviewed));
  };
  return {
    phase,
    refusal,
    progress,
    lastToast,
    review: () => {
      const reviewed = createReview(ticket.assessment, ticket.context);
      if (!reviewed) return;
      setRefusal(null);
      setPhase({ kind: "reviewing", reviewed });
    },
    placeNow: () => {
      const reviewed = createReview(ticket.assessment, ticket.context);
      if (!reviewed) return;
      setRefusal(null);
      place({ ...reviewed, isDirect: true });
    },
    confirm: () => {
      if (phase.kind === "reviewing") place(phase.reviewed);
    },
    // A dialog also reports its closing if the order has reached another phase.
    edit: () => setPhase((now) => (now.kind === "reviewing" ? EDITING : now)),
    checkAgain: () => {
      if (!unknown) return;
      setPhase({ kind: "unknown", pending: unknown, isChecking: true });
      withPlacing(({ check }) => check(context, unknown));
    },
    retry: () => {
      if (!unknown) return;
      setPhase({ kind: "unknown", pending: unknown, isChecking: true });
      withPlacing(({ send }) => send(context, unknown.input));
    },
    forget: () => {
      setRefusal(null);
      setProgress(null);
      clearToast();
    },
  };
}

const EDITING = { kind: "editing" } as const;
const UNLOADED_TEXT = "Part of this page didn’t load, so it did nothing. Reload the page.";

type Placing = typeof import("@/components/trading/ticket/placing");

// Loaded with the first valid order, so that the page opens sooner.
const loadPlacing = (): Promise<Placing> => import("@/components/trading/ticket/placing");

/**
 * Returns a function that runs one task of the sending part at a time. A ref, because state updates too
 * late for a double click.
 */
function usePlacing(
  { assessment }: Ticket,
  onUnloaded: () => void,
): (work: (placing: Placing) => Promise<void>) => void {
  const isBusy = useRef(false);
  const hasOrder = assessment.order !== null;
  useEffect(() => {
    // A failure is told when the part is needed.
    if (hasOrder) loadPlacing().catch(() => undefined);
  }, [hasOrder]);
  return (work) => {
    if (isBusy.current) return;
    isBusy.current = true;
    void loadPlacing()
      .then(work, onUnloaded)
      .finally(() => {
        isBusy.current = false;
      });
  };
}

const DONE_SHOWN_MS = 2_000;

/** The progress of the last order. A result is shown for two seconds. */
function useProgress() {
  const [progress, setProgress] = useState<Progress | null>(null);
  useEffect(() => {
    if (progress?.kind !== "done") return;
    const timer = setTimeout(() => setProgress(null), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [progress]);
  return [progress, setProgress] as const;
}

/** Shows a toast when the market closes, because the page then removes the ticket. */
function useClosingToast({ market, context }: Ticket, clock: Clock): void {
  const wasAccepting = useRef(context.isAccepting);
  useEffect(() => {
    const hasClosed = wasAccepting.current && !context.isAccepting;
    wasAccepting.current = context.isAccepting;
    if (!hasClosed) return;
    const text = describeClosed(market.closesAt, clock, `“${market.title}”`);
    showToast({ id: `closed ${market.id}`, tone: "info", text });
  }, [market, context.isAccepting, clock]);
}

/** Looks up an order that was pending when the page was reloaded, once. */
function useResume(ticketId: string, onPending: (pending: PendingOrder) => void): void {
  const latest = useRef(onPending);
  useEffect(() => {
    const pending = findPending(ticketId);
    if (pending) latest.current(pending);
  }, [ticketId]);
}

/** The last order's toast. An open sheet shows it as the order's result instead. */
function useOrderToast(isInSheet: boolean) {
  const [lastToast, setLastToast] = useState<Toast | null>(null);
  // An order's updates arrive after the render that placed it.
  const shown = useRef({ isInSheet, id: "" });
  useEffect(() => {
    shown.current = { isInSheet, id: lastToast?.id ?? "" };
  });
  const update = (next: Toast) => {
    // The toast of an earlier order is not in the sheet.
    if (shown.current.isInSheet && shown.current.id === next.id) dismissToast(next.id);
    else showToast(next);
    setLastToast((last) => (last?.id === next.id ? next : last));
  };
  return {
    lastToast,
    announce: (next: Toast) => {
      shown.current.id = next.id;
      setLastToast(next);
      update(next);
    },
    update,
    clearToast: () => setLastToast(null),
  };
}
