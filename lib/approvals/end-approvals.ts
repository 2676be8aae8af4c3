import "server-only";
import { endWithoutApproval } from "@/lib/approvals/decide-order";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectWaitingSince } from "@/lib/db/queries/approvals";
import { APPROVAL_MS } from "@/lib/domain/approvals";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import { resumeApprovedOrders } from "@/lib/orders/live/place-approved-order";
import { startJob, type StopJob } from "@/lib/schedule";

const EVERY_MS = 5_000;
/** Most orders that one pass ends. */
const PASS_SIZE = 1_000;

/** Ends the orders that were not approved in time. Returns how many it ended. */
export async function endLateApprovals(): Promise<number> {
  const by = new Date(now() - APPROVAL_MS);
  let ended = 0;
  for (const order of await selectWaitingSince(await getDb(), by, PASS_SIZE)) {
    try {
      ended += await endWithoutApproval(order, [order], "approval_expired");
    } catch (error) {
      // One failing account must not hold up the others.
      log.error("approval not ended", { orderId: order.id, ...errorFields(error) });
    }
  }
  return ended;
}

/** Ends late approvals, and goes on with approved live orders whose process died. */
export async function sweepApprovals(): Promise<void> {
  await endLateApprovals();
  if (env().VENUES.includes("polymarket")) await resumeApprovedOrders();
}

export const startApprovals = (): StopJob =>
  startJob({ name: "approvals", everyMs: EVERY_MS }, sweepApprovals);
