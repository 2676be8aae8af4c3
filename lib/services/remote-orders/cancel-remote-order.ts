import "server-only";
import { getDb } from "@/lib/db/client";
import { selectOrder } from "@/lib/db/queries/orders";
import { type RemoteOrder, selectRemoteOrder } from "@/lib/db/queries/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
import { AppError, assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { changeOrder } from "@/lib/services/remote-orders/change-order";
import type { Connection } from "@/lib/services/remote-orders/connection";
import { lookUp, type Wanted } from "@/lib/services/remote-orders/look";
import type { OrderChange } from "@/lib/services/remote-orders/order-change";

/**
 * Cancels an order at the venue and returns it as it then is. The wish is written down first and
 * repeated by the reconciler until the venue has said what became of the order.
 *
 * @throws CANCEL_OUTCOME_UNKNOWN while nobody can tell.
 */
export async function cancelRemoteOrder(
  connection: Connection,
  orderId: string,
  keyId: string | null,
): Promise<OrderRow> {
  const { userId } = connection.trader;
  const sent = await selectRemoteOrder(await getDb(), orderId);
  // One that was refused before it was sent is nothing to the venue.
  if (sent === null) return refusedOrder(userId, orderId);
  assert(sent.order.userId === userId, "whoever cancels an order has made it");
  if (isOver(sent.order) || sent.order.status === "rejected") return sent.order;
  const asked = await requestCancel(sent, keyId);
  if (asked.isClosed) return asked.order;
  const found = await askToCancel(connection, asked);
  if (found && isOver(found)) return found;
  throw new AppError(
    "CANCEL_OUTCOME_UNKNOWN",
    "the venue has not said what became of the order; it is asked again until it does",
  );
}

/** Cancels what rests of an order that was to end at once; says how it then is. */
export async function endAtOnce(connection: Connection, order: OrderRow): Promise<OrderRow> {
  if (order.type !== "market" || order.status !== "open") return order;
  const sent = await selectRemoteOrder(await getDb(), order.id);
  if (!sent || sent.remote.cancelRequestedAt === null) return order;
  return (await askToCancel(connection, sent)) ?? order;
}

/** One attempt. Null when the venue did not tell what became of it. */
export async function askToCancel(
  { venue, trader }: Connection,
  wanted: Wanted,
): Promise<OrderRow | null> {
  const { orderId, venueOrderId } = wanted.remote;
  const { outcome } = await venue.cancelOrder(trader, venueOrderId);
  try {
    return await lookUp({ venue, trader }, wanted, outcome);
  } catch (error) {
    log.warn("canceled order not looked up", { orderId, ...errorFields(error) });
    return null;
  }
}

async function requestCancel(
  { order, known }: { order: OrderRow; known: RemoteOrder | null },
  keyId: string | null,
): Promise<OrderChange> {
  const { change } = await changeOrder({ orderId: order.id, known }, (asked) => {
    if (!asked.isClosed && asked.remote.cancelRequestedAt === null) {
      asked.setRemote({ cancelRequestedAt: asked.at, cancelKeyId: keyId });
      asked.tell("cancel_requested", {}, keyId);
    }
    return null;
  });
  return change;
}

async function refusedOrder(userId: string, orderId: string): Promise<OrderRow> {
  const order = await selectOrder(await getDb(), { userId, mode: "live" }, orderId);
  assert(order, "whoever cancels an order has made it");
  return order;
}

function isOver({ status }: OrderRow): boolean {
  return status === "canceled" || status === "filled" || status === "expired";
}
