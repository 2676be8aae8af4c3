import "server-only";
import { getDb } from "@/lib/db/client";
import { selectOrders } from "@/lib/db/queries/orders";
import { MAX_ROWS } from "@/lib/schemas/page-size";
import { toResting } from "@/lib/venue/order-row";
import type { OrderEstimate, OrderSubmission, Venue } from "@/lib/venue/port";

/** Estimates what an order would do now. The account's own open orders don't fill it. */
export async function estimateOrder(
  venue: Venue,
  submission: OrderSubmission,
): Promise<OrderEstimate> {
  if (venue.kind === "embedded") return venue.estimateOrder(submission);
  const filter = {
    account: { userId: submission.userId, mode: venue.mode },
    marketId: submission.market.id,
    statuses: ["open"],
  } as const;
  const rows = await selectOrders(await getDb(), filter, null, MAX_ROWS);
  // Only a limit order has a price in the book.
  const own = rows.filter(({ order }) => order.bookPrice !== null);
  return venue.estimateOrder(
    submission,
    own.map(({ order }) => toResting(order)),
  );
}
