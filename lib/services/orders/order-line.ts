import "server-only";
import type { z } from "zod";
import type { OrderWithMarket } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import { isLive } from "@/lib/domain/order-status";
import type { OrderLine } from "@/lib/schemas/order-views";
import { sideOf } from "@/lib/services/orders/order-record";
import { iconUrl } from "@/lib/services/public-url";
import { averagePrice, formatMicro, notional, type Usdc } from "@/lib/units";

/** An order as the dashboard's tables show it. */
export function toOrderLine({ order, market }: OrderWithMarket): z.output<typeof OrderLine> {
  return {
    id: order.id,
    status: order.status,
    action: order.action,
    side: sideOf(order.outcome),
    type: order.type,
    marketId: order.marketId,
    price: order.price,
    shares: order.shares,
    amount: order.amount,
    filledShares: order.filledShares,
    avgFillPrice:
      order.filledShares === 0n ? null : averagePrice(order.filledNotional, order.filledShares),
    fee: order.fee,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    marketTitle: market.title,
    marketSlug: market.slug,
    iconUrl: iconUrl(market.icon),
    outcome: order.outcome === 0 ? market.firstOutcome : market.secondOutcome,
    tickSize: formatMicro(market.tick),
    total: totalOf(order),
    value: order.filledNotional,
    isLive: isLive(order.status),
  };
}

/** Rounded as a user meets it: up what a buy may cost, down what a sell may bring. */
function totalOf({ action, shares, price, amount }: OrderRow): Usdc | null {
  if (amount !== null) return amount;
  if (shares === null || price === null) return null;
  return notional(shares, price, action === "BUY" ? "up" : "down");
}
