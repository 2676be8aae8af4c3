import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectClaim } from "@/lib/db/queries/idempotency";
import { Failure } from "@/lib/schemas/envelope";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import type { PlacementState } from "@/lib/schemas/ticket";
import { requireOrder } from "@/lib/orders/get-order";
import {
  toCanonicalFields,
  computeFingerprint,
  hashIdempotencyKey,
  readStoredAnswer,
} from "@/lib/orders/idempotency/fingerprint";

/** Finds the outcome of the order that was placed with a key, for a caller without a response. */
export async function findPlacement(
  principal: Principal,
  idempotencyKey: string,
): Promise<z.output<typeof PlacementState>> {
  const db = await getDb();
  const claim = await selectClaim(db, principal.userId, hashIdempotencyKey(idempotencyKey));
  if (!claim) return { state: "none" };
  const { orderId } = claim;
  const answer = readStoredAnswer(claim);
  if (!answer) return { state: "unknown", orderId };
  if (answer.status !== 200) {
    const { error } = Failure.parse(JSON.parse(answer.body));
    return { state: "refused", orderId, message: error.message };
  }
  const order = await requireOrder(db, principal, orderId);
  return { state: "accepted", orderId, status: order.status };
}

/** Returns whether a key is free, was used for the same order, or was used for another one. */
export async function checkKeyUse(
  principal: Principal,
  body: PlaceOrderBody & { idempotencyKey: string },
): Promise<"free" | "same" | "other"> {
  const keyHash = hashIdempotencyKey(body.idempotencyKey);
  const claim = await selectClaim(await getDb(), principal.userId, keyHash);
  if (!claim) return "free";
  const fingerprint = fingerprintWithoutSlippage(toCanonicalFields(body, principal.mode));
  return fingerprintWithoutSlippage(claim.fields) === fingerprint ? "same" : "other";
}

/** Ignores the worst price of a market order: the ticket derives it from the book, which changes. */
function fingerprintWithoutSlippage({ price, ...fields }: Record<string, string>): string {
  return computeFingerprint(
    fields["orderType"] === "market" || price === undefined ? fields : { ...fields, price },
  );
}
