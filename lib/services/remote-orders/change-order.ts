import "server-only";
import { withStatement, withTransaction } from "@/lib/db/client";
import type { RemoteOrder } from "@/lib/db/queries/remote-orders";
import type { Answer } from "@/lib/schemas/envelope";
import { OrderChange } from "@/lib/services/remote-orders/order-change";

/** Which order is to be changed. */
export interface Subject {
  orderId: string;
  /** The order without fills, as it was read or written a moment ago; null when that is not known. */
  known: RemoteOrder | null;
}

/**
 * Changes one order and keeps the answer that follows from it, both or neither. An order that is
 * known takes one statement; one that has changed since, or that trades, is locked and read first.
 *
 * @param work says what changes, on the order as it is; it may run a second time, on a newer one.
 * @returns the order as it is now, and the answer that `work` came to.
 */
export async function changeOrder(
  { orderId, known }: Subject,
  work: (change: OrderChange) => Answer | null,
): Promise<{ change: OrderChange; answer: Answer | null }> {
  if (known !== null) {
    const change = OrderChange.of(known);
    const answer = work(change);
    if (await withStatement((db) => change.commitIfStill(db, answer))) return { change, answer };
  }
  return withTransaction(async (tx) => {
    const change = await OrderChange.open(tx, orderId);
    const answer = work(change);
    await change.commit(tx, answer);
    return { change, answer };
  });
}
