import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectOrderMarkets } from "@/lib/db/queries/closed-orders";
import { type OrderWithMarket, selectOrders } from "@/lib/db/queries/orders";
import { isLive, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import type { OpenOrderBoard, OrderTotals } from "@/lib/schemas/order-views";
import type { OpenFilter } from "@/lib/services/orders/order-filters";
import { toOrderLine } from "@/lib/services/orders/order-line";
import { MAX_ROWS } from "@/lib/services/page-size";
import { shares, sum, usdc } from "@/lib/units";

/** The orders that may still trade, newest first, and what canceling them would set free. */
export async function readOpenOrderBoard(
  principal: Principal,
  filter: OpenFilter,
): Promise<z.output<typeof OpenOrderBoard>> {
  const db = await getDb();
  const inMarket = await selectOrders(
    db,
    { account: principal, marketId: filter.market, statuses: UNSETTLED_STATUSES },
    null,
    MAX_ROWS,
  );
  return {
    orders: inMarket.filter((found) => matches(found, filter)).map(toOrderLine),
    totals: totalsOf(inMarket),
    markets: await selectOrderMarkets(db, principal, UNSETTLED_STATUSES),
  };
}

function matches({ order, market }: OrderWithMarket, { action, text }: OpenFilter): boolean {
  if (action !== undefined && order.action !== action) return false;
  if (text === undefined) return true;
  const outcome = order.outcome === 0 ? market.firstOutcome : market.secondOutcome;
  return `${market.title} ${outcome} ${order.id}`.toLowerCase().includes(text.toLowerCase());
}

function totalsOf(found: readonly OrderWithMarket[]): z.output<typeof OrderTotals> {
  const live = found.map(({ order }) => order).filter((order) => isLive(order.status));
  const held = (action: "BUY" | "SELL") =>
    live.filter((order) => order.action === action).map((order) => order.held);
  return {
    count: live.length,
    buys: sum(held("BUY").map(usdc)),
    sells: sum(held("SELL").map(shares)),
  };
}
