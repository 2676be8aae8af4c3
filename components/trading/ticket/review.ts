import type { Assessment } from "@/lib/domain/ticket/assess";
import type { TicketContext, TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import type { TicketWarning } from "@/lib/domain/ticket/issues";
import { type Projection, project } from "@/lib/domain/ticket/projection";
import type { Price } from "@/lib/units";

/** The order that the user confirms. It doesn't change during the review. */
export interface Reviewed {
  order: TicketOrder;
  estimate: Estimate | null;
  projection: Projection | null;
  warnings: readonly TicketWarning[];
  /** Whether the order was submitted without a review. */
  isDirect: boolean;
  /** The average price of the previous review, if the price has moved since. */
  movedFrom: Price | null;
}

/** Creates the review of a ticket's order, or null if the order can't be placed. */
export function createReview(
  assessment: Assessment,
  context: Pick<TicketContext, "funds" | "rules">,
): Reviewed | null {
  const { order, estimate, issues, block, warnings } = assessment;
  if (!order || issues.length > 0 || block) return null;
  const projection = estimate ? project(order, estimate, context) : null;
  return { order, estimate, projection, warnings, isDirect: false, movedFrom: null };
}
