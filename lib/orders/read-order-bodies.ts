import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectClaims } from "@/lib/db/queries/idempotency";
import { selectOrdersById } from "@/lib/db/queries/orders";
import { hashIdempotencyKey, toOrderBody } from "@/lib/orders/idempotency/fingerprint";

/**
 * Rebuilds the request bodies that placed orders of the caller, by order id. Sent again, such a body
 * returns the stored response and places nothing.
 */
export async function readOrderBodies(
  principal: Principal,
  orderIds: readonly string[],
): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map();
  const db = await getDb();
  const orders = await selectOrdersById(db, principal, orderIds);
  // External orders have no key.
  const keys = new Map(
    orders.flatMap(({ id, idempotencyKeyJson }): [string, string][] => {
      const key = z.string().safeParse(JSON.parse(idempotencyKeyJson));
      return key.success ? [[id, key.data]] : [];
    }),
  );
  const claims = await selectClaims(
    db,
    principal.userId,
    [...keys.values()].map(hashIdempotencyKey),
  );
  return new Map(
    claims.flatMap(({ orderId, fields }): [string, string][] => {
      const key = keys.get(orderId);
      return key === undefined ? [] : [[orderId, JSON.stringify(toOrderBody(fields, key))]];
    }),
  );
}
