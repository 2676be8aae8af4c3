import "server-only";
import { requireSigner, requireTrader } from "@/lib/accounts/require-trader";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { lockWaiting, selectUnfinishedPosts, updateWaiting } from "@/lib/db/queries/approvals";
import type { NewRemoteOrder } from "@/lib/db/queries/claim-remote-order";
import { lockLimits, readLimitedSubjects } from "@/lib/db/queries/limit-state";
import { selectOrder } from "@/lib/db/queries/orders";
import { insertRemoteOrder } from "@/lib/db/queries/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
import { refuseDearer } from "@/lib/domain/approvals";
import { transition } from "@/lib/domain/order-status";
import { AppError, assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { now } from "@/lib/clock";
import { requireKnownContract } from "@/lib/orders/live/contract-watch";
import { boundByBook, buildSubmittingOrder } from "@/lib/orders/live/place-remote-order";
import { PostingLease, submitOrder, takeOver } from "@/lib/orders/live/post-until-known";
import { writeWaitingEvents } from "@/lib/orders/live/waiting-orders";
import { remoteVenue } from "@/lib/venues";
import type { Approval, OrderSubmission, RemoteVenue } from "@/lib/venue/port";

/**
 * Signs an approved order, records what is sent, and sends it. The order ends its wait in the transaction
 * that records the signed bytes, so it is sent under one signature only. An unknown outcome is
 * determined as for any live order.
 */
export async function placeApprovedOrder(
  venue: RemoteVenue,
  submission: OrderSubmission,
  approval: Approval,
): Promise<void> {
  await requireKnownContract();
  const trader = await requireSigner(approval.userId);
  const bounded = await boundByBook(venue, submission);
  if ("code" in bounded) throw new AppError(bounded.code, bounded.message);
  const signed = await venue.signOrder(trader, bounded);
  const lease = new PostingLease();
  // The response to the placement is stored already: it said that the order waits.
  const unsent = buildSubmittingOrder(bounded, { signed, keyHash: null, lease });
  const written = await withTransaction((tx) => recordApproval(tx, unsent, approval));
  lease.until = written.remote.postingUntil;
  try {
    await submitOrder({ venue, trader }, { orderId: approval.orderId, written, lease });
  } catch (error) {
    // The order's page shows the state; the reconciler determines the outcome.
    log.warn("outcome of an approved order unknown", {
      orderId: approval.orderId,
      ...errorFields(error),
    });
  }
}

async function recordApproval(
  tx: Tx,
  { order: unsent, remote, leaseMs }: NewRemoteOrder,
  { orderId, userId, requestId = null, admit }: Approval,
): Promise<Pick<NewRemoteOrder, "order" | "remote">> {
  await lockLimits(tx, userId);
  const [waiting] = await lockWaiting(tx, userId, { orderIds: [orderId] });
  const row = waiting ?? (await selectOrder(tx, { userId, mode: "live" }, orderId));
  assert(row, "an order is approved by the user who placed it");
  await admit(tx, row);
  const dearer = refuseDearer(unsent.held, row.held);
  if (dearer) throw new AppError(dearer.code, dearer.message);
  const status = transition(row.status, "submitting");
  const order: OrderRow = { ...row, status, updatedAt: new Date(now()) };
  await updateWaiting(tx, order);
  const { venueOrderId } = remote;
  await writeWaitingEvents(
    tx,
    order,
    [
      { type: "approved", keyId: null, detail: {} },
      { type: "submitted", keyId: null, detail: { venueOrderId } },
    ],
    { transfers: [], cause: { requestId, keyId: null } },
  );
  // The order may have waited for long; what is sent begins now.
  const sent = { ...remote, createdAt: order.updatedAt };
  return { order, remote: await insertRemoteOrder(tx, sent, leaseMs) };
}

/**
 * Goes on with approved orders whose process died before it recorded the venue's response: no client
 * repeats their request. The same bytes are posted again, unless trading was frozen since: the reconciler
 * then abandons the order.
 */
export async function resumeApprovedOrders(): Promise<void> {
  for (const { orderId, ...placed } of await selectUnfinishedPosts(await getDb())) {
    const { userId } = placed;
    try {
      const query = { ...placed, mode: "live", now: now() } as const;
      const subjects = await readLimitedSubjects(await getDb(), query);
      if (subjects.some(({ frozen }) => frozen !== null)) continue;
      const lease = await takeOver(orderId);
      if (!lease) continue;
      const connection = { venue: remoteVenue(), trader: await requireTrader(userId) };
      await submitOrder(connection, { orderId, written: null, lease });
    } catch (error) {
      log.warn("approved order not resumed", { orderId, ...errorFields(error) });
    }
  }
}
