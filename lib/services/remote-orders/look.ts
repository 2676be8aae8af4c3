import "server-only";
import { withTransaction } from "@/lib/db/client";
import type { RemoteOrderRow } from "@/lib/db/queries/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
import type { Connection } from "@/lib/services/remote-orders/connection";
import { keepAnswer, lastingAnswerOf } from "@/lib/services/remote-orders/remote-answer";
import { OrderChange } from "@/lib/services/remote-orders/order-change";
import { applySighting, type Sighting } from "@/lib/services/remote-orders/sighting";
import type { VenueTrade } from "@/lib/venue/port";

/** The venue's trades are dated in whole seconds, by another clock. */
const CLOCK_MARGIN_MS = 120_000;

type Wanted = Pick<RemoteOrderRow, "orderId" | "venueOrderId" | "createdAt">;

/**
 * Looks an order up at the venue, by its hash and in the trades since it was made, and records what
 * it finds. Throws what the venue's reads throw; nothing is changed then.
 *
 * @param cancel what a cancel that was just asked for came to.
 */
export async function lookUp(
  { venue, trader }: Connection,
  wanted: Wanted,
  cancel: Sighting["cancel"] = null,
): Promise<OrderRow> {
  const { orderId, venueOrderId, createdAt } = wanted;
  const order = await venue.findOrder(trader, venueOrderId);
  const trades: VenueTrade[] =
    order === null
      ? await venue.listTrades(trader, createdAt.getTime() - CLOCK_MARGIN_MS)
      : await venue.getTrades(trader, order.tradeIds);
  return recordSighting(orderId, { order, trades, cancel });
}

/** Records what was seen of an order, and its answer once its fate is known. */
export async function recordSighting(orderId: string, sighting: Sighting): Promise<OrderRow> {
  return withTransaction(async (tx) => {
    const change = await OrderChange.open(tx, orderId);
    applySighting(change, sighting);
    await change.commit(tx);
    const answer = lastingAnswerOf(change.order);
    if (answer) await keepAnswer(tx, change, answer);
    return change.order;
  });
}
