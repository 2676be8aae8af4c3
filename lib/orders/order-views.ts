import "server-only";
import type { z } from "zod";
import type { AccountRow, OrderRow } from "@/lib/db/rows";
import type { RecordedEvent, RecordedFill } from "@/lib/db/queries/order-record";
import { getRequestedType, getTimeInForce } from "@/lib/domain/time-in-force";
import type { OrderRecord, OrderSummary } from "@/lib/schemas/orders";
import {
  averagePrice,
  subtract,
  formatMicro,
  NO_USDC,
  notional,
  type Price,
  type Usdc,
  usdc,
} from "@/lib/units";
import { toYesOrNo } from "@/lib/domain/settlement";
import type { OrderWithMarket } from "@/lib/db/queries/orders";
import { isCancelable } from "@/lib/domain/order-status";
import type { OpenOrderLine, OrderLine } from "@/lib/schemas/dashboard-orders";
import { buildIconUrl } from "@/lib/public-url";

type Wallet = Pick<AccountRow, "address" | "funderAddress">;

/** Maps an order to its form in lists of the API: without fills and events. */
export function toOrderSummary(row: OrderRow, account: Wallet): z.output<typeof OrderSummary> {
  return {
    userId: row.userId,
    address: account.address,
    funder_address: account.funderAddress,
    id: row.id,
    status: row.status,
    action: row.action,
    side: toYesOrNo(row.outcome),
    type: getRequestedType(row),
    tokenId: row.tokenId,
    marketId: row.marketId,
    price: row.price,
    shares: row.shares,
    amount: row.amount,
    timeInForce: getTimeInForce(row),
    expiresAt: row.expiresAt,
    postOnly: row.isPostOnly,
    filledShares: row.filledShares,
    remainingShares: row.shares === null ? null : subtract(row.shares, row.filledShares),
    avgFillPrice:
      row.filledShares === 0n ? null : averagePrice(row.filledNotional, row.filledShares),
    fee: row.fee,
    origin: row.origin,
    idempotencyKey: JSON.parse(row.idempotencyKeyJson) as string | null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Maps an order to its record in the API, with its fills and events. */
export function toOrderRecord(
  row: OrderRow,
  account: Wallet,
  fills: readonly RecordedFill[],
  events: readonly RecordedEvent[],
): z.output<typeof OrderRecord> {
  return {
    ...toOrderSummary(row, account),
    fills: fills.map(({ id, tradeId, role, price, shares, notional: amount, fee, createdAt }) => ({
      id,
      tradeId,
      role,
      price,
      shares,
      amount,
      fee,
      createdAt,
    })),
    events: [...events],
  };
}

/** Maps an order to a row of the dashboard's tables. */
export function toOrderLine(found: OrderWithMarket): z.output<typeof OrderLine> {
  const { order, market } = found;
  return {
    ...toListedOrder(found),
    marketTitle: market.title,
    marketSlug: market.slug,
    iconUrl: buildIconUrl(market.icon),
    tickSize: formatMicro(market.tick),
    side: toYesOrNo(order.outcome),
    avgFillPrice:
      order.filledShares === 0n ? null : averagePrice(order.filledNotional, order.filledShares),
    fee: order.fee,
    updatedAt: order.updatedAt,
    value: order.filledNotional,
    reserved: order.action === "BUY" ? usdc(order.held) : NO_USDC,
  };
}

/** Maps an order to a row of the list of open orders, with the price that would fill it now. */
export function toOpenOrderLine(
  found: OrderWithMarket,
  marketPrice: Price | null,
): z.output<typeof OpenOrderLine> {
  return { ...toListedOrder(found), marketPrice };
}

/** Maps what the rows of all tables show. */
function toListedOrder({ order, market }: OrderWithMarket) {
  return {
    id: order.id,
    status: order.status,
    action: order.action,
    type: getRequestedType(order),
    marketId: order.marketId,
    price: order.price,
    shares: order.shares,
    amount: order.amount,
    timeInForce: getTimeInForce(order),
    expiresAt: order.expiresAt,
    postOnly: order.isPostOnly,
    filledShares: order.filledShares,
    origin: order.origin,
    idempotencyKey: JSON.parse(order.idempotencyKeyJson) as string | null,
    createdAt: order.createdAt,
    outcome: order.outcome === 0 ? market.firstOutcome : market.secondOutcome,
    openValue: computeOpenValue(order),
    isLive: isCancelable(order.status),
  };
}

/** Computes the value of the unfilled part: what a buy reserves, so that the rows of a list add up to its total. */
function computeOpenValue({ action, shares, filledShares, price, held }: OrderRow): Usdc | null {
  if (action === "BUY") return usdc(held);
  if (shares === null || price === null) return null;
  return notional(subtract(shares, filledShares), price, "down");
}
