import "server-only";
import { getDb } from "@/lib/db/client";
import { selectClaims } from "@/lib/db/queries/idempotency";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectPlacedKeys, selectReplacedId } from "@/lib/db/queries/order-replacements";
import { selectOrder } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";

/** Finds the orders that replaced others, by the replaced order's id. Leaves out orders without one. */
export async function findNewOrderIds(
  account: AccountRef,
  orderIds: readonly string[],
): Promise<Map<string, string>> {
  const db = await getDb();
  const replacements = (await selectPlacedKeys(db, account, orderIds)).map(({ orderId, key }) => ({
    orderId,
    keyHash: hashIdempotencyKey(key),
  }));
  const claims = await selectClaims(
    db,
    account.userId,
    replacements.map(({ keyHash }) => keyHash),
  );
  const accepted = new Map(
    claims.filter(({ status }) => status === 200).map((claim) => [claim.keyHash, claim.orderId]),
  );
  return new Map(
    replacements.flatMap(({ orderId, keyHash }) => {
      const newId = accepted.get(keyHash);
      return newId === undefined ? [] : [[orderId, newId] as const];
    }),
  );
}

/** Finds the order that was edited to place the order with this key; null if there is none. */
export async function findReplacedOrder(
  account: AccountRef,
  key: string,
): Promise<OrderRow | null> {
  const db = await getDb();
  const orderId = await selectReplacedId(db, account, key);
  return orderId === null ? null : selectOrder(db, account, orderId);
}
