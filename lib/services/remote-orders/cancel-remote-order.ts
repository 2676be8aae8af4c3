import "server-only";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectOrder } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import { AppError, assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import type { Connection } from "@/lib/services/remote-orders/connection";
import { lookUp } from "@/lib/services/remote-orders/look";
import { OrderChange } from "@/lib/services/remote-orders/order-change";

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
  const account = { userId: connection.trader.userId, mode: "live" } as const;
  const order = await selectOrder(await getDb(), account, orderId);
  assert(order, "whoever cancels an order has made it");
  // One that was refused before it was sent is nothing to the venue.
  if (isOver(order) || order.status === "rejected") return order;
  const asked = await requestCancel(orderId, keyId);
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
  const change = await withTransaction((tx) => OrderChange.open(tx, order.id));
  if (change.remote.cancelRequestedAt === null) return order;
  return (await askToCancel(connection, change)) ?? order;
}

/** One attempt. Null when the venue did not tell what became of it. */
export async function askToCancel(
  { venue, trader }: Connection,
  { remote }: Pick<OrderChange, "remote">,
): Promise<OrderRow | null> {
  const { outcome } = await venue.cancelOrder(trader, remote.venueOrderId);
  try {
    return await lookUp({ venue, trader }, remote, outcome);
  } catch (error) {
    log.warn("canceled order not looked up", { orderId: remote.orderId, ...errorFields(error) });
    return null;
  }
}

async function requestCancel(orderId: string, keyId: string | null): Promise<OrderChange> {
  return withTransaction(async (tx) => {
    const change = await OrderChange.open(tx, orderId);
    if (change.isClosed) return change;
    if (change.remote.cancelRequestedAt === null) {
      change.setRemote({ cancelRequestedAt: change.at, cancelKeyId: keyId });
      change.tell("cancel_requested", {}, keyId);
    }
    await change.commit(tx);
    return change;
  });
}

function isOver({ status }: OrderRow): boolean {
  return status === "canceled" || status === "filled" || status === "expired";
}
