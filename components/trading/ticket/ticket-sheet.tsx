"use client";

import { CircleAlert, CircleCheck, Info } from "lucide-react";
import type { ReactNode } from "react";
import { ReviewContent, reviewedIn, reviewTitle } from "@/components/trading/ticket/review-dialog";
import type { Placement } from "@/components/trading/ticket/use-placement";
import { Button, ButtonLink } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Toast } from "@/lib/client/toasts";
import type { Ticket } from "@/lib/client/use-ticket";

interface Props {
  ticket: Ticket;
  placement: Placement;
  isOpen: boolean;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** The ticket over the page: fields, review and result, one after the other in the same place. */
export function TicketSheet({ ticket, placement, isOpen, onClose, children }: Props) {
  const { phase, news } = placement;
  const reviewed = reviewedIn(placement);
  const result = phase.kind === "editing" ? news : null;
  const leave = () => {
    placement.edit();
    placement.forget();
    onClose();
  };
  return (
    <Dialog
      title={reviewed ? reviewTitle(ticket) : ticket.market.title}
      step={reviewed ? "review" : result ? "result" : "edit"}
      isOpen={isOpen}
      onClose={leave}
      isBusy={phase.kind === "placing"}
      isSheet
    >
      {reviewed ? (
        <ReviewContent ticket={ticket} placement={placement} reviewed={reviewed} />
      ) : result ? (
        <Result news={result} onAgain={placement.forget} onDone={leave} />
      ) : (
        children
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
  news: Toast;
  onAgain: () => void;
  onDone: () => void;
}

/** What has become of the order; it goes on changing while it is looked at. */
function Result({ news, onAgain, onDone }: ResultProps) {
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="flex min-h-12 items-center gap-3 text-heading">
        {ICONS[news.tone]}
        <span className="min-w-0 break-words">{news.text}</span>
      </p>
      <div className="flex flex-col gap-2">
        {news.action && (
          <Button
            size="large"
            isWide
            onClick={(event) => {
              news.action?.run();
              // The button goes: the focus stays in the sheet.
              event.currentTarget.closest("dialog")?.querySelector("h2")?.focus();
            }}
          >
            {news.action.label === "Cancel" ? "Cancel order" : news.action.label}
          </Button>
        )}
        {news.link && (
          <ButtonLink size="large" href={news.link.href} className="w-full">
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
