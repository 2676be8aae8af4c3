import "server-only";
import type { Tx } from "@/lib/db/database";
import { withMarketTransaction } from "@/lib/db/market-transaction";
import { requeueWaiting } from "@/lib/db/queries/approvals";
import { lockLimits } from "@/lib/db/queries/limit-state";
import { assert } from "@/lib/errors";
import { readTime } from "@/lib/exchange/clock";
import { commitUpdate } from "@/lib/exchange/commit-update";
import { getPaperMarkets } from "@/lib/exchange/find-market";
import { loadRequestedOrders, lockMarket } from "@/lib/exchange/load-market";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { MarketUpdate, NO_BOOK } from "@/lib/exchange/market-update";
import { repeatSlices, settleDue } from "@/lib/exchange/settle-due";
import type { Approval } from "@/lib/venue/port";

/**
 * Lets an order go on that waits for its owner's approval: it becomes a delayed order that is due, and is
 * matched by the next transaction of its market. If the process dies in between, the ticker matches it.
 */
export async function approvePaperOrder(approval: Approval): Promise<void> {
  const market = (await getPaperMarkets([approval.marketId])).get(approval.marketId);
  assert(market, "an order's market exists");
  await withMarketTransaction(market.id, (tx) => approve(tx, market, approval));
  await repeatSlices(() => withMarketTransaction(market.id, (tx) => settleDue(tx, market)));
}

async function approve(
  tx: Tx,
  market: ExchangeMarket,
  { orderId, userId, requestId = null, admit }: Approval,
): Promise<void> {
  await lockLimits(tx, userId);
  await lockMarket(tx, market);
  await requeueWaiting(tx, userId, orderId);
  const [row] = await loadRequestedOrders(tx, { userId, ids: [orderId] });
  assert(row, "an order is approved by the user who placed it");
  await admit(tx, row);
  const update = new MarketUpdate(market, readTime(), { ...NO_BOOK, rows: [row] });
  update.actor = { userId, keyId: null, requestId };
  update.move(row.id, "delayed", "approved");
  update.update(row.id, { matchAfter: update.at });
  await commitUpdate(tx, update);
}
