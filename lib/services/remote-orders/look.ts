import "server-only";
import type { RemoteOrder, RemoteOrderRow } from "@/lib/db/queries/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
import { changeOrder, type Subject } from "@/lib/services/remote-orders/change-order";
import type { Connection } from "@/lib/services/remote-orders/connection";
import { lastingAnswerOf } from "@/lib/services/remote-orders/remote-answer";
import { applySighting, type Sighting } from "@/lib/services/remote-orders/sighting";
import type { VenueTrade } from "@/lib/venue/port";

/** The venue's trades are dated in whole seconds, by another clock. */
const CLOCK_MARGIN_MS = 120_000;

/** An order to look for. */
export interface Wanted {
  remote: Pick<RemoteOrderRow, "orderId" | "venueOrderId" | "createdAt">;
  /** The order without fills, as it was read or written a moment ago. */
  known?: RemoteOrder | null;
}

/**
 * Looks an order up at the venue, by its hash and in the trades since it was made, and records what
 * it finds. Throws what the venue's reads throw; nothing is changed then.
 *
 * @param cancel what a cancel that was just asked for came to.
 */
export async function lookUp(
  { venue, trader }: Connection,
  { remote: { orderId, venueOrderId, createdAt }, known = null }: Wanted,
  cancel: Sighting["cancel"] = null,
): Promise<OrderRow> {
  const order = await venue.findOrder(trader, venueOrderId);
  const trades: VenueTrade[] =
    order === null
      ? await venue.listTrades(trader, createdAt.getTime() - CLOCK_MARGIN_MS)
      : await venue.getTrades(trader, order.tradeIds);
  return recordSighting({ orderId, known }, { order, trades, cancel });
}

/** Records what was seen of an order, and its answer once its fate is known. */
export async function recordSighting(subject: Subject, sighting: Sighting): Promise<OrderRow> {
  const { change } = await changeOrder(subject, (order) => {
    applySighting(order, sighting);
    return lastingAnswerOf(order.order);
  });
  return change.order;
}
