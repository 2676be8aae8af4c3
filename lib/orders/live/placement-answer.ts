import "server-only";
import type { OrderRow } from "@/lib/db/rows";
import { isLive } from "@/lib/domain/order-status";
import { refuseUnfilled } from "@/lib/domain/order-terms";
import { assert } from "@/lib/errors";
import { buildApprovalUrl } from "@/lib/public-url";
import { type Answer, failureAnswer, successBody } from "@/lib/schemas/envelope";
import { Acknowledgement } from "@/lib/schemas/orders";
import { describeAcknowledgement } from "@/lib/domain/acknowledgement-text";

/** Builds the response to the placement of an order; null while its outcome is unknown. */
export function buildAnswer(order: OrderRow): Answer | null {
  switch (order.status) {
    case "pending":
    case "submitting":
    case "unknown":
      return null;
    case "rejected":
      return failureAnswer("ORDER_REJECTED", "The venue rejected the order as invalid.");
    case "abandoned":
      return failureAnswer(
        "ORDER_ABANDONED",
        "The venue never returned this order, so it was abandoned. It will not be placed.",
      );
    default:
      return buildAcceptance(order);
  }
}

/**
 * Builds the response if it is final, else returns null. The response to a market order waits until
 * the order has ended.
 */
export function buildFinalAnswer(order: OrderRow): Answer | null {
  return isEnding(order) ? null : buildAnswer(order);
}

/** Builds the response that replaces an abandonment or rejection when the order appears late. */
export function buildLateAnswer(order: OrderRow): Answer | null {
  return isLive(order.status) && order.type === "limit"
    ? buildAcknowledgement(order, LATE)
    : buildFinalAnswer(order);
}

const LATE =
  "Order accepted late, after it was reported as not placed. It is being canceled; its record shows what it filled.";
const ENDING = "Order accepted: it is about to end. Its record shows what it filled.";

/** A market order does not rest: an open one waits for the venue to report its outcome. */
const isEnding = ({ type, status }: OrderRow) => type === "market" && status === "open";

function buildAcceptance(order: OrderRow): Answer {
  const { type, status, filledShares } = order;
  if (type === "market" && status === "canceled" && filledShares === 0n) {
    if (order.isFillOrKill) {
      const { code, message } = refuseUnfilled(order, order.price);
      return failureAnswer(code, message);
    }
    const message = "The order was not filled and is no longer open.";
    return failureAnswer("NO_LIQUIDITY", message);
  }
  assert(
    status === "open" ||
      status === "delayed" ||
      status === "pending_approval" ||
      status === "filled" ||
      status === "canceled" ||
      status === "expired",
    `an accepted order is not ${status}`,
  );
  const message = isEnding(order)
    ? ENDING
    : describeAcknowledgement(order.action, { status, filledShares });
  return buildAcknowledgement(order, message);
}

function buildAcknowledgement(
  { id, status, idempotencyKeyJson }: OrderRow,
  message: string,
): Answer {
  return {
    status: 200,
    body: successBody(Acknowledgement, {
      idempotencyKey: (JSON.parse(idempotencyKeyJson) as string | null) ?? "",
      message,
      orderId: id,
      status,
      ...(status === "pending_approval" && { approvalUrl: buildApprovalUrl(id) }),
    }),
  };
}
