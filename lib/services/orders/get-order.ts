import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectOrder, selectOrderEvents, selectOrderFills } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import { AppError } from "@/lib/errors";
import type { OrderRecord } from "@/lib/schemas/orders";
import { requireAccount } from "@/lib/services/account/require-account";
import { toRecord } from "@/lib/services/orders/order-record";

const ORDER_ID = /^ord_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a text has the form of an order's id. */
export const isOrderId = (text: string) => ORDER_ID.test(text);

/** One order of the caller, in any state. Another user's order is not found. */
export async function getOrder(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderRecord>> {
  return withSnapshot(async (tx) => {
    const order = await requireOrder(tx, principal, orderId);
    const account = await requireAccount(tx, principal);
    const fills = await selectOrderFills(tx, orderId);
    return toRecord(order, account, fills, await selectOrderEvents(tx, orderId));
  });
}

/** The caller's order. Throws ORDER_NOT_FOUND, the same for an unknown id and another account's order. */
export async function requireOrder(
  tx: Tx,
  account: AccountRef,
  orderId: string,
): Promise<OrderRow> {
  const order = isOrderId(orderId) ? await selectOrder(tx, account, orderId) : null;
  if (!order) throw new AppError("ORDER_NOT_FOUND", "there is no such order");
  return order;
}
