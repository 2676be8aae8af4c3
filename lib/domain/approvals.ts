import type { Refusal } from "@/lib/domain/funding";
import type { LimitedOrder, LimitedSubject } from "@/lib/domain/limits";

/** How long an order waits for its owner's approval. */
export const APPROVAL_MS = 15 * 60_000;

/** The most orders of an account that wait at the same time. */
const MAX_WAITING = 100;

/** Whether an order can cost more than its owner lets pass without approval. */
export function needsApproval(
  { cost }: Pick<LimitedOrder, "cost">,
  subjects: readonly Pick<LimitedSubject, "limits">[],
): boolean {
  return subjects.some(
    ({ limits: { approvalAbove } }) => approvalAbove !== undefined && cost > approvalAbove,
  );
}

/** Returns until when an order that was placed at a time can be approved. */
export const setDeadline = (createdAt: Date): Date => new Date(createdAt.getTime() + APPROVAL_MS);

/**
 * Refuses an order whose market charges a higher fee than when it began to wait, if it can now cost more
 * than it holds.
 */
export function refuseDearer(hold: bigint, held: bigint): Refusal | null {
  if (hold <= held) return null;
  return {
    code: "ORDER_REJECTED",
    message:
      "The market's fee has risen since, so the order can cost more than it reserved. Decline it, and let it be placed again.",
  };
}

/** Refuses an order that would wait while too many others of its account do. */
export function refuseManyWaiting(waiting: number): Refusal | null {
  if (waiting < MAX_WAITING) return null;
  return {
    code: "RISK_LIMIT_EXCEEDED",
    message: `${MAX_WAITING} orders of this account already wait for approval. Approve or decline some first.`,
  };
}
