"use client";

import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { findReviewed, formatReviewTitle, Review } from "@/components/trading/ticket/review-dialog";
import { ModeBadge } from "@/components/shell/mode-badge";
import type { Placement } from "@/components/trading/ticket/use-placement";
import { Button, ButtonLink } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Toast } from "@/lib/browser/toasts";
import type { Ticket } from "@/lib/browser/use-ticket";
import { subscribeToTicketCommands } from "@/lib/browser/ticket-commands";

interface Props {
  ticket: Ticket;
  placement: Placement;
  isOpen: boolean;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** The ticket as a sheet over the page. It shows the fields, then the review, then the result. */
export function TicketSheet({ ticket, placement, isOpen, onClose, children }: Props) {
  const { phase, lastToast } = placement;
  const reviewed = findReviewed(placement);
  const result = phase.kind === "editing" ? lastToast : null;
  const leave = () => {
    placement.edit();
    placement.forget();
    onClose();
  };
  return (
    <Dialog
      title={reviewed ? formatReviewTitle(ticket) : ticket.market.title}
      step={reviewed ? "review" : result ? "result" : "edit"}
      isOpen={isOpen}
      onClose={leave}
      isBusy={phase.kind === "placing"}
      isSheet
    >
      {reviewed ? (
        <Review ticket={ticket} placement={placement} reviewed={reviewed} />
      ) : result ? (
        <Result toast={result} onAgain={placement.forget} onDone={leave} />
      ) : (
        <>
          <div className="mb-3">
            <ModeBadge mode={ticket.mode} />
          </div>
          {children}
        </>
      )}
    </Dialog>
  );
}

const ICONS = {
  success: <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-up" />,
  info: <Info aria-hidden="true" className="size-6 shrink-0 text-info" />,
  error: <CircleAlert aria-hidden="true" className="size-6 shrink-0 text-danger" />,
} as const;

interface ResultProps {
  toast: Toast;
  onAgain: () => void;
  onDone: () => void;
}

/** The result of the order. It updates while it is shown. */
function Result({ toast, onAgain, onDone }: ResultProps) {
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="flex min-h-12 items-center gap-3 text-heading">
        {ICONS[toast.tone]}
        <span className="min-w-0 break-words">{toast.text}</span>
      </p>
      <div className="flex flex-col gap-2">
        {toast.action && (
          <Button
            size="large"
            isWide
            onClick={(event) => {
              toast.action?.run();
              // The button disappears, so the focus moves to the sheet's title.
              event.currentTarget.closest("dialog")?.querySelector("h2")?.focus();
            }}
          >
            {toast.action.label === "Cancel" ? "Cancel order" : toast.action.label}
          </Button>
        )}
        {toast.link && (
          <ButtonLink size="large" href={toast.link.href} className="w-full">
            View order
          </ButtonLink>
        )}
        <Button size="large" isWide onClick={onAgain}>
          New order
        </Button>
        <Button size="large" isWide tone="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** From this width on, the ticket has its own column: the style sheet's "lg". */
const HAS_COLUMN = "(min-width: 64rem)";

/**
 * Opens the sheet on a screen without a column for the ticket: when the ticket gets a command, and if
 * the URL leads to it.
 */
export function useTicketSheet(): { isOpen: boolean; close: () => void } {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const column = matchMedia(HAS_COLUMN);
    if (location.hash === "#ticket") setIsOpen(!column.matches);
    const close = () => setIsOpen(false);
    const stop = subscribeToTicketCommands(() => setIsOpen(!column.matches));
    column.addEventListener("change", close);
    return () => {
      stop();
      column.removeEventListener("change", close);
    };
  }, []);
  return { isOpen, close: () => setIsOpen(false) };
}
