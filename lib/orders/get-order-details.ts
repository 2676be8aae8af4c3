import "server-only";
import type { z } from "zod";
import { listKeyNames } from "@/lib/auth/list-keys";
import type { Principal } from "@/lib/auth/principal";
import { formatCurl } from "@/lib/domain/curl";
import { env } from "@/lib/env";
import { getOrder, getOrderLineAtMarket } from "@/lib/orders/get-order";
import { getReplacement, type Replacement } from "@/lib/orders/replace-order";
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
  return {
    record,
    line,
    keyNames: Object.fromEntries(keyNames),
    replacedBy: replacement && describeNewOrder(replacement),
    curl: formatCurl({ method: "GET", url: `${env().NEXTAUTH_URL}/v1/orders/${record.id}` }),
  };
}

const describeNewOrder = ({ result, price, shares }: Replacement) =>
  result.outcome === "placed" ? { orderId: result.newOrderId, price, shares } : null;
