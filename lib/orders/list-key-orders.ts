import "server-only";
import type { z } from "zod";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectOrders } from "@/lib/db/queries/orders";
import { toOrderLine } from "@/lib/orders/order-views";
import { findNewOrderIds } from "@/lib/orders/replacement-links";
import type { EditedOrderLine } from "@/lib/schemas/dashboard-orders";

/** Lists the newest orders of an API key. */
export async function listKeyOrders(
  account: AccountRef,
  keyId: string,
  limit: number,
): Promise<z.output<typeof EditedOrderLine>[]> {
  const rows = await selectOrders(await getDb(), { account, keyId }, null, limit);
  const canceled = rows.filter(({ order }) => order.status === "canceled");
  const newOrderIds = await findNewOrderIds(
    account,
    canceled.map(({ order }) => order.id),
  );
  return rows.map((row) => ({
    ...toOrderLine(row),
    replacedBy: newOrderIds.get(row.order.id) ?? null,
  }));
}
