import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import { findOrderRecord } from "@/lib/db/queries/order-record";
import { type OrderWithMarket, selectOrder, selectOrders } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import { AppError } from "@/lib/errors";
import type { OrderRecord } from "@/lib/schemas/orders";
import { walletNotFound } from "@/lib/accounts/require-account";
import { readMarketPrices } from "@/lib/orders/market-prices";
import { toOrderRecord, toOrderLine } from "@/lib/orders/order-views";
import type { OrderLineAtMarket, OrderLine } from "@/lib/schemas/dashboard-orders";

const ORDER_ID = /^ord_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a text has the form of an order id. */
export const isOrderId = (text: string) => ORDER_ID.test(text);

/** Returns the record of one order of the caller. Throws ORDER_NOT_FOUND. */
export async function getOrder(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderRecord>> {
  const found = isOrderId(orderId) ? await findOrderRecord(principal, orderId) : null;
  if (!found) throw createOrderNotFound();
  const { order, wallet, fills, events } = found;
  if (!wallet) throw walletNotFound(principal.mode);
  return toOrderRecord(order, wallet, fills, events);
}

/** Returns the caller's order. Throws the same ORDER_NOT_FOUND for unknown and other users' orders. */
export async function requireOrder(
  tx: Tx,
  account: AccountRef,
  orderId: string,
): Promise<OrderRow> {
  const order = isOrderId(orderId) ? await selectOrder(tx, account, orderId) : null;
  if (!order) throw createOrderNotFound();
  return order;
}

export function createOrderNotFound(): AppError {
  return new AppError("ORDER_NOT_FOUND", "No order of this account has this id.");
}

/** Returns one order of the caller with the names of its market. Throws ORDER_NOT_FOUND. */
export async function getOrderLine(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderLine>> {
  return toOrderLine(await requireOrderWithMarket(principal, orderId));
}

/** Returns one order of the caller with the price that would fill it now. Throws ORDER_NOT_FOUND. */
export async function getOrderLineAtMarket(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderLineAtMarket>> {
  const found = await requireOrderWithMarket(principal, orderId);
  const line = toOrderLine(found);
  const findPrice = await readMarketPrices(principal, line.isLive ? [line.marketId] : []);
  return { ...line, marketPrice: findPrice(found.order) };
}

async function requireOrderWithMarket(
  principal: Principal,
  orderId: string,
): Promise<OrderWithMarket> {
  const filter = { account: principal, id: orderId };
  const [found] = await selectOrders(await getDb(), filter, null, 1);
  if (!found) throw createOrderNotFound();
  return found;
}
