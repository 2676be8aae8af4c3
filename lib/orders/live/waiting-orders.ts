import "server-only";
import { writeTogether } from "@/lib/db/batch";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { lockWaiting, updateWaiting } from "@/lib/db/queries/approvals";
import type { NewRemoteOrder } from "@/lib/db/queries/claim-remote-order";
import type { Claim } from "@/lib/db/placement-record";
import { insertClaim, storeAnswer } from "@/lib/db/queries/idempotency";
import { buildOrderEventInsert, draftOrderEvents } from "@/lib/db/queries/order-events";
import type { CancelScope } from "@/lib/db/queries/remote-cancels";
import { insertRemoteMarket, insertUnsentOrder } from "@/lib/db/queries/remote-orders";
import type { OrderEventInsert, OrderRow } from "@/lib/db/rows";
import { setDeadline } from "@/lib/domain/approvals";
import { transition } from "@/lib/domain/order-status";
import { assert } from "@/lib/errors";
import type { Cause } from "@/lib/ledger/account-log";
import { buildRelease } from "@/lib/ledger/live-transfers";
import { buildPosting, type Transfer } from "@/lib/ledger/transfers";
import { buildAnswer } from "@/lib/orders/live/placement-answer";
import type { Answer } from "@/lib/schemas/envelope";
import type { CancelRequest, OrderSubmission } from "@/lib/venue/port";

/**
 * Records a live order that waits for its owner's approval, with its key and its reservation. Nothing is
 * sent.
 *
 * @returns null if another request holds the key.
 */
export async function recordWaiting(
  tx: Tx,
  claim: Claim,
  { submission, newOrder }: { submission: OrderSubmission; newOrder: NewRemoteOrder },
): Promise<Answer | null> {
  if (!(await insertClaim(tx, claim))) return null;
  const order: OrderRow = { ...newOrder.order, status: "pending_approval" };
  const until = setDeadline(order.createdAt).toISOString();
  await insertRemoteMarket(tx, submission.market);
  await insertUnsentOrder(tx, order);
  await writeWaitingEvents(
    tx,
    order,
    [
      { type: "received", keyId: order.keyId, detail: {} },
      { type: "approval_requested", keyId: null, detail: { until } },
    ],
    {
      transfers: [newOrder.hold],
      cause: { requestId: submission.requestId ?? null, keyId: order.keyId },
    },
  );
  const answer = buildAnswer(order);
  assert(answer, "an order that waits has a response");
  await storeAnswer(tx, claim, answer);
  return answer;
}

interface Ender {
  userId: string;
  keyId: string | null;
  requestId?: string | null | undefined;
  at: Date;
}

/**
 * Ends the live orders in a scope that wait for approval, and releases what they hold. Orders in another
 * state stay as they are. Returns the ids of the ended orders.
 */
export async function endWaitingOrders(
  { userId, keyId, requestId = null, at }: Ender,
  scope: CancelScope,
  reason: NonNullable<CancelRequest["reason"]>,
): Promise<string[]> {
  const to = reason === "approval_expired" ? "expired" : "canceled";
  return withTransaction(async (tx) => {
    const waiting = await lockWaiting(tx, userId, scope);
    for (const row of waiting) {
      const ended = { ...row, status: transition(row.status, to), held: 0n, updatedAt: at };
      await updateWaiting(tx, ended);
      await writeWaitingEvents(tx, ended, [{ type: to, keyId, detail: { reason } }], {
        transfers: [buildRelease(toParty(row), "final", row.held)],
        cause: { requestId, keyId },
      });
    }
    return waiting.map(({ id }) => id);
  });
}

const toParty = ({ id: orderId, userId, epoch, marketId, tokenId, action }: OrderRow) => ({
  orderId,
  owner: { userId, epoch },
  marketId,
  tokenId,
  action,
});

/** Writes what happened to an order to its history, the account's log and the ledger. */
export async function writeWaitingEvents(
  tx: Tx,
  order: OrderRow,
  events: readonly Pick<OrderEventInsert, "type" | "keyId" | "detail">[],
  { transfers, cause }: { transfers: readonly Transfer[]; cause: Cause },
): Promise<void> {
  const { id: orderId, updatedAt: createdAt } = order;
  const drafts = events.flatMap((event) => draftOrderEvents(order, event, cause));
  await writeTogether(tx, [
    buildOrderEventInsert(events.map((event) => ({ ...event, orderId, createdAt }))),
    ...buildPosting({ transfers, events: drafts }, createdAt),
  ]);
}
