import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectOrderWithHistory } from "@/lib/db/queries/order-record";
import { selectOrder } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import { AppError } from "@/lib/errors";
import type { OrderRecord } from "@/lib/schemas/orders";
import { walletNotFound } from "@/lib/services/account/require-account";
import { toRecord } from "@/lib/services/orders/order-record";

const ORDER_ID = /^ord_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a text has the form of an order's id. */
export const isOrderId = (text: string) => ORDER_ID.test(text);

/** One order of the caller, in any state. Another user's order is not found. */
export async function getOrder(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderRecord>> {
  const found = isOrderId(orderId)
    ? await selectOrderWithHistory(await getDb(), principal, orderId)
    : null;
  if (!found) throw noSuchOrder();
  const { order, wallet, fills, events } = found;
  if (!wallet) throw walletNotFound(principal.mode);
  return toRecord(order, wallet, fills, events);
}

/** The caller's order. Throws ORDER_NOT_FOUND, the same for an unknown id and another account's order. */
export async function requireOrder(
  tx: Tx,
  account: AccountRef,
  orderId: string,
): Promise<OrderRow> {
  const order = isOrderId(orderId) ? await selectOrder(tx, account, orderId) : null;
  if (!order) throw noSuchOrder();
  return order;
}

function noSuchOrder(): AppError {
  return new AppError("ORDER_NOT_FOUND", "there is no such order");
}
