"use client";

import { lazy, Suspense, useEffect } from "react";
import type { Reviewed } from "@/components/trading/ticket/review";
import type { ReviewProps } from "@/components/trading/ticket/review-content";
import type { Placement } from "@/components/trading/ticket/use-placement";
import { getVerb } from "@/components/trading/wording";
import { Dialog } from "@/components/ui/dialog";
import type { Ticket } from "@/lib/browser/use-ticket";

const loadContent = () => import("@/components/trading/ticket/review-content");
const ReviewContent = lazy(async () => ({ default: (await loadContent()).ReviewContent }));

/** The review of an order. The order is placed only with the dialog's button. */
export function ReviewDialog({ ticket, placement }: Omit<ReviewProps, "reviewed">) {
  const reviewed = findReviewed(placement);
  // The page opens without it. It is there before an order is typed; otherwise the review loads it.
  useEffect(() => void loadContent().catch(() => undefined), []);
  return (
    <Dialog
      title={formatReviewTitle(ticket)}
      isOpen={reviewed !== null}
      onClose={placement.edit}
      isBusy={placement.phase.kind === "placing"}
      isSheet
    >
      {reviewed && <Review ticket={ticket} placement={placement} reviewed={reviewed} />}
    </Dialog>
  );
}

/** The content of the review, for the dialog and the phone's sheet. */
export function Review(props: ReviewProps) {
  return (
    <Suspense>
      <ReviewContent {...props} />
    </Suspense>
  );
}

/** Returns the order under review, or null. */
export function findReviewed({ phase }: Placement): Reviewed | null {
  const shown = phase.kind === "reviewing" || phase.kind === "placing" ? phase.reviewed : null;
  return shown?.isDirect ? null : shown;
}

export function formatReviewTitle({ market, form }: Ticket): string {
  return `${getVerb(form.action)} ${market.outcomes[form.outcome].name} — ${market.title}`;
}
