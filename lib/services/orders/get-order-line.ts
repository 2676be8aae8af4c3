import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectOrders } from "@/lib/db/queries/orders";
import { AppError } from "@/lib/errors";
import type { OrderLine } from "@/lib/schemas/order-views";
import { toOrderLine } from "@/lib/services/orders/order-line";

/** One order of the caller with its market's words. Throws ORDER_NOT_FOUND. */
export async function getOrderLine(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderLine>> {
  const filter = { account: principal, id: orderId };
  const [found] = await selectOrders(await getDb(), filter, null, 1);
  if (!found) throw new AppError("ORDER_NOT_FOUND", "there is no such order");
  return toOrderLine(found);
}
