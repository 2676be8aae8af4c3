import "server-only";
import type { SQL } from "drizzle-orm";
import { takeTurns } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { isCancelable, isLive, type OrderStatus } from "@/lib/domain/order-status";
import { assert } from "@/lib/errors";
import { hasBacklog } from "@/lib/exchange/apply-orders";
import { readTime } from "@/lib/exchange/clock";
import { commitUpdate } from "@/lib/exchange/commit-update";
import { getPaperMarkets } from "@/lib/exchange/find-market";
import { loadRequestedOrders } from "@/lib/exchange/load-market";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { MarketUpdate, NO_BOOK } from "@/lib/exchange/market-update";
import {
  closeOrder,
  DueBacklog,
  openUpdate,
  SLICE,
  withSettledMarket,
} from "@/lib/exchange/settle-due";
import type { CancelRequest, CancelResult } from "@/lib/venue/port";

/** Orders of one user in one market that are canceled in one transaction. */
interface CancelSlice extends Omit<CancelRequest, "orders"> {
  market: ExchangeMarket;
  orderIds: readonly string[];
}

/**
 * Cancels orders market by market, in transactions of at most `SLICE` orders, so that other requests
 * run in between. If the process dies, the orders of later transactions stay open.
 */
export async function cancelPaperOrders({
  orders,
  ...actor
}: CancelRequest): Promise<Map<string, CancelResult>> {
  const idsByMarket = new Map<string, string[]>();
  for (const { id, marketId } of orders) {
    const ids = idsByMarket.get(marketId);
    if (ids) ids.push(id);
    else idsByMarket.set(marketId, [id]);
  }
  const markets = await getPaperMarkets([...idsByMarket.keys()]);
  const results = new Map<string, CancelResult>();
  for (const [marketId, ids] of idsByMarket) {
    const market = markets.get(marketId);
    assert(market, "an order's market exists");
    for (let from = 0; from < ids.length; from += SLICE) {
      const slice = { market, orderIds: ids.slice(from, from + SLICE), ...actor };
      const canceled = await withSettledMarket(market, (tx) => cancelSlice(tx, slice));
      for (const [id, result] of canceled) results.set(id, result);
      await takeTurns();
    }
  }
  return results;
}

/**
 * Settles due orders first: an order whose price was already reached is filled instead of canceled.
 */
async function cancelSlice(
  tx: Tx,
  {
    market,
    userId,
    orderIds: ids,
    keyId,
    requestId = null,
    reason = "requested",
    recordCancel,
  }: CancelSlice,
): Promise<Map<string, CancelResult>> {
  // Loaded under the market's lock, so these orders can't change before the transaction ends.
  const requested = { userId, ids };
  const open = await openUpdate(tx, market, { requested });
  if (open && (open.loaded.due.length > 0 || hasBacklog(open.update, open.loaded)))
    throw new DueBacklog();
  const rows = open ? open.loaded.requested : await loadRequestedOrders(tx, requested);
  const update = open?.update ?? new MarketUpdate(market, readTime(), { ...NO_BOOK, rows });
  update.actor = { userId, keyId, requestId };
  const results = new Map<string, CancelResult>();
  const statements: SQL[] = [];
  for (const row of rows) {
    update.include(row);
    if (!open && isLive(row.status)) closeOrder(update, row.id);
    const { status } = update.getOrder(row.id);
    if (isEnding(status, reason)) {
      const to = reason === "approval_expired" ? "expired" : "canceled";
      update.move(row.id, to, to, { reason }, keyId);
      results.set(row.id, { outcome: "canceled" });
      if (recordCancel) statements.push(recordCancel(row.id));
    } else if (status === "canceled") {
      results.set(row.id, { outcome: "already_canceled" });
    } else {
      results.set(row.id, { outcome: "final", status });
    }
  }
  if (!update.isEmpty) await commitUpdate(tx, update, statements);
  return results;
}

/** An order ends for lack of approval only while it waits for it. */
function isEnding(status: OrderStatus, reason: CancelRequest["reason"]): boolean {
  return reason === "declined" || reason === "approval_expired"
    ? status === "pending_approval"
    : isCancelable(status);
}
