import "server-only";
import type { Tx } from "@/lib/db/database";
import { isLive } from "@/lib/domain/order-status";
import { commitRound } from "@/lib/venue/paper/commit";
import { openRound } from "@/lib/venue/paper/touch";
import type { CancelRequest, CancelResult } from "@/lib/venue/port";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";

/**
 * Cancels orders of one market. The market is brought up to date first, so an order whose price was
 * already reached is found filled, not canceled: what happened first wins.
 */
export async function cancelPaperOrders(
  tx: Tx,
  request: CancelRequest & { market: ExchangeMarket },
): Promise<Map<string, CancelResult>> {
  // Read under the market's lock: nothing can change these orders before the transaction ends.
  const wanted = { userId: request.userId, ids: request.orderIds };
  const { round, loaded } = await openRound(tx, request.market, { wanted });
  const results = new Map<string, CancelResult>();
  for (const row of loaded.wanted) {
    round.include(row);
    const { status } = round.order(row.id);
    if (isLive(status)) {
      round.move(row.id, "canceled", "canceled", { reason: "requested" }, request.keyId);
      results.set(row.id, { outcome: "canceled" });
    } else if (status === "canceled") {
      results.set(row.id, { outcome: "already_canceled" });
    } else {
      results.set(row.id, { outcome: "final", status });
    }
  }
  if (!round.isEmpty) await commitRound(tx, round);
  return results;
}
