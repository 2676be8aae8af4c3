import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectClaim } from "@/lib/db/queries/idempotency";
import { Failure } from "@/lib/schemas/envelope";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import type { PlacementState } from "@/lib/schemas/ticket";
import { requireOrder } from "@/lib/services/orders/get-order";
import {
  canonicalFields,
  fingerprintOf,
  hashIdempotencyKey,
  storedAnswer,
} from "@/lib/services/orders/idempotency";

/** What became of the order that was sent with a key: how a caller without an answer finds out. */
export async function findPlacement(
  principal: Principal,
  idempotencyKey: string,
): Promise<z.output<typeof PlacementState>> {
  const db = await getDb();
  const claim = await selectClaim(db, principal.userId, hashIdempotencyKey(idempotencyKey));
  if (!claim) return { state: "none" };
  const { orderId } = claim;
  const answer = storedAnswer(claim);
  if (!answer) return { state: "unknown", orderId };
  if (answer.status !== 200) {
    const { error } = Failure.parse(JSON.parse(answer.body));
    return { state: "refused", orderId, message: error.message };
  }
  const order = await requireOrder(db, principal, orderId);
  return { state: "accepted", orderId, status: order.status };
}

/** How a key stands to an order: free, used for this very order, or used for another one. */
export async function keyUse(
  principal: Principal,
  body: PlaceOrderBody & { idempotencyKey: string },
): Promise<"free" | "same" | "other"> {
  const keyHash = hashIdempotencyKey(body.idempotencyKey);
  const claim = await selectClaim(await getDb(), principal.userId, keyHash);
  if (!claim) return "free";
  const wanted = comparable(canonicalFields(body, principal.mode));
  return comparable(claim.fields) === wanted ? "same" : "other";
}

/** The worst price of a market order follows the book: the same order may come with another one. */
function comparable({ price, ...fields }: Record<string, string>): string {
  return fingerprintOf(
    fields["orderType"] === "market" || price === undefined ? fields : { ...fields, price },
  );
}
