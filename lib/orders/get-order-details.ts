import "server-only";
import type { z } from "zod";
import { listKeyNames } from "@/lib/auth/list-keys";
import type { Principal } from "@/lib/auth/principal";
import { formatCurl } from "@/lib/domain/curl";
import { env } from "@/lib/env";
import { getOrder, getOrderLineAtMarket } from "@/lib/orders/get-order";
import { getReplacement } from "@/lib/orders/replace-order";
import type { OrderDetails } from "@/lib/schemas/dashboard-orders";

/** Returns an order of the caller with its history and names. Throws ORDER_NOT_FOUND. */
export async function getOrderDetails(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderDetails>> {
  const [record, line, keyNames, replacement] = await Promise.all([
    getOrder(principal, orderId),
    getOrderLineAtMarket(principal, orderId),
    listKeyNames(principal.userId),
    getReplacement(principal, orderId),
  ]);
  const result = replacement?.result;
  return {
    record,
    line,
    keyNames: Object.fromEntries(keyNames),
    replacedBy: result?.outcome === "placed" ? result.newOrderId : null,
    curl: formatCurl({ method: "GET", url: `${env().NEXTAUTH_URL}/v1/orders/${record.id}` }),
  };
}
