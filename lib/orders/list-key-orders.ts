import "server-only";
import type { z } from "zod";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectOrders } from "@/lib/db/queries/orders";
import { toOrderLine } from "@/lib/orders/order-views";
import type { OrderLine } from "@/lib/schemas/dashboard-orders";

/** Lists the newest orders of an API key. */
export async function listKeyOrders(
  account: AccountRef,
  keyId: string,
  limit: number,
): Promise<z.output<typeof OrderLine>[]> {
  const rows = await selectOrders(await getDb(), { account, keyId }, null, limit);
  return rows.map(toOrderLine);
}
