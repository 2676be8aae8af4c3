import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withTransaction } from "@/lib/db/client";
import type { OrderRow } from "@/lib/db/rows";
import type { OrderStatus } from "@/lib/domain/order-status";
import { AppError, assert } from "@/lib/errors";
import type { OrderRecord } from "@/lib/schemas/orders";
import { getOrder, requireOrder } from "@/lib/services/orders/get-order";
import { cancelRemoteOrder } from "@/lib/services/remote-orders/cancel-remote-order";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { venueOf } from "@/lib/venue";
import type { EmbeddedVenue, RemoteVenue } from "@/lib/venue/port";

/**
 * Cancels an order and returns its record with what had filled. Canceling again returns the same
 * record; an order that reached another end cannot be canceled.
 */
export async function cancelOrder(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderRecord>> {
  const order = await requireOrder(await getDb(), principal, orderId);
  const venue = venueOf(principal.mode);
  if (venue.kind === "remote") await cancelRemote(venue, principal, orderId);
  else await cancelEmbedded(venue, principal, order);
  return getOrder(principal, orderId);
}

async function cancelEmbedded(
  venue: EmbeddedVenue,
  { userId, keyId }: Principal,
  { id, marketId }: OrderRow,
): Promise<void> {
  const market = (await venue.getMarkets([marketId])).get(marketId);
  assert(market, "an order's market exists");
  const results = await withTransaction((tx) =>
    venue.cancelOrders(tx, { market, orderIds: [id], userId, keyId }),
  );
  const result = results.get(id);
  assert(result, "the venue answers for every order it was asked to cancel");
  if (result.outcome === "final") throw notCancelable(result.status);
}

async function cancelRemote(
  venue: RemoteVenue,
  { userId, keyId }: Principal,
  orderId: string,
): Promise<void> {
  const trader = await requireTrader(userId);
  const { status } = await cancelRemoteOrder({ venue, trader }, orderId, keyId);
  if (status !== "canceled") throw notCancelable(status);
}

function notCancelable(status: OrderStatus): AppError {
  return new AppError("ORDER_NOT_CANCELABLE", `the order is ${status} and cannot be canceled`);
}
