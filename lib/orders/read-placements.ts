import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectClaims } from "@/lib/db/queries/idempotency";
import { selectOrdersById } from "@/lib/db/queries/orders";
import {
  hashIdempotencyKey,
  readStoredAnswer,
  toOrderBody,
} from "@/lib/orders/idempotency/fingerprint";
import type { Answer } from "@/lib/schemas/envelope";

/** The request that placed an order, and its stored response. */
export interface Placement {
  idempotencyKey: string;
  /**
   * The body, rebuilt from the order's fields. Sent again, it returns the stored response and places
   * nothing.
   */
  body: string;
  /** Null while the outcome of the order is unknown. */
  answer: Answer | null;
}

/** Reads the requests that placed orders of the caller, by order id. */
export async function readPlacements(
  principal: Principal,
  orderIds: readonly string[],
): Promise<Map<string, Placement>> {
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
    claims.flatMap((claim): [string, Placement][] => {
      const key = keys.get(claim.orderId);
      if (key === undefined) return [];
      const body = JSON.stringify(toOrderBody(claim.fields, key));
      return [[claim.orderId, { idempotencyKey: key, body, answer: readStoredAnswer(claim) }]];
    }),
  );
}
