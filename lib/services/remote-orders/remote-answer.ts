import "server-only";
import type { OrderRow } from "@/lib/db/rows";
import { assert } from "@/lib/errors";
import { type Answer, failureAnswer, successBody } from "@/lib/schemas/envelope";
import { Acknowledgement } from "@/lib/schemas/orders";
import { acknowledge } from "@/lib/services/orders/messages";

/** The answer to whoever placed it; null while nobody can know it. */
export function answerOf(order: OrderRow): Answer | null {
  switch (order.status) {
    case "pending":
    case "submitting":
    case "unknown":
      return null;
    case "rejected":
      return failureAnswer("ORDER_REJECTED", "the venue found the order invalid");
    case "abandoned":
      return failureAnswer(
        "ORDER_ABANDONED",
        "the venue never showed this order; it was given up and nothing of it will be placed",
      );
    default:
      return acceptance(order);
  }
}

/**
 * The answer if it is there to stay. A market order that still stands is about to end, and says only
 * then what it did.
 */
export function lastingAnswerOf(order: OrderRow): Answer | null {
  return isEnding(order) ? null : answerOf(order);
}

const ENDING = "Order accepted: it is about to end, and its record will tell what it filled.";

/** A market order does not rest: the venue has only not told yet what became of it. */
const isEnding = ({ type, status }: OrderRow) => type === "market" && status === "open";

function acceptance(order: OrderRow): Answer {
  const { type, status, filledShares } = order;
  if (type === "market" && status === "canceled" && filledShares === 0n) {
    const message = "nothing of this order was filled, and nothing of it stands any more";
    return failureAnswer("NO_LIQUIDITY", message);
  }
  assert(
    status === "open" || status === "delayed" || status === "filled" || status === "canceled",
    `an accepted order is not ${status}`,
  );
  return {
    status: 200,
    body: successBody(Acknowledgement, {
      idempotencyKey: JSON.parse(order.idempotencyKeyJson) as string,
      message: isEnding(order) ? ENDING : acknowledge(order.action, { status, filledShares }),
      orderId: order.id,
      status,
    }),
  };
}
