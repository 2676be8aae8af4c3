import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withTransaction } from "@/lib/db/client";
import type { OrderStatus } from "@/lib/domain/order-status";
import { AppError, assert } from "@/lib/errors";
import type { OrderRecord } from "@/lib/schemas/orders";
import { getOrder, requireOrder } from "@/lib/services/orders/get-order";
import { venueOf } from "@/lib/venue";

/**
 * Cancels an order and returns its record with what had filled. Canceling again returns the same
 * record; an order that reached another end cannot be canceled.
 */
export async function cancelOrder(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderRecord>> {
  const order = await requireOrder(await getDb(), principal.userId, orderId);
  const venue = venueOf(principal.mode);
  const market = (await venue.getMarkets([order.marketId])).get(order.marketId);
  assert(market, "an order's market exists");
  const { userId, keyId } = principal;
  const results = await withTransaction((tx) =>
    venue.cancelOrders(tx, { market, orderIds: [orderId], userId, keyId }),
  );
  const result = results.get(orderId);
  assert(result, "the venue answers for every order it was asked to cancel");
  if (result.outcome === "final") throw notCancelable(result.status);
  return getOrder(principal, orderId);
}

function notCancelable(status: OrderStatus): AppError {
  return new AppError("ORDER_NOT_CANCELABLE", `the order is ${status} and cannot be canceled`);
}
