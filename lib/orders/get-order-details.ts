import "server-only";
import type { z } from "zod";
import { listKeyNames } from "@/lib/auth/list-keys";
import type { Principal } from "@/lib/auth/principal";
import { formatCurl } from "@/lib/domain/curl";
import { env } from "@/lib/env";
import { getOrder, getOrderLineAtMarket } from "@/lib/orders/get-order";
import { getReplacement, type Replacement } from "@/lib/orders/replace-order";
import { findReplacedOrder } from "@/lib/orders/replacement-links";
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
    replaces: await readReplaced(principal, record.idempotencyKey),
    curl: formatCurl({ method: "GET", url: `${env().NEXTAUTH_URL}/v1/orders/${record.id}` }),
  };
}

/** Only limit orders with a number of shares are edited. */
async function readReplaced(principal: Principal, key: string | null) {
  const replaced = key === null ? null : await findReplacedOrder(principal, key);
  if (replaced === null || replaced.price === null || replaced.shares === null) return null;
  const { id: orderId, price, shares } = replaced;
  return { orderId, price, shares };
}

const describeNewOrder = ({ result, price, shares }: Replacement) =>
  result.outcome === "placed" ? { orderId: result.newOrderId, price, shares } : null;
