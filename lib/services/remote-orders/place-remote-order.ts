import "server-only";
import { withStatement, withTransaction } from "@/lib/db/client";
import { claimRemoteOrder } from "@/lib/db/queries/claim-remote-order";
import { type Claim, insertClaim, storeAnswer } from "@/lib/db/queries/idempotency";
import type { Refusal } from "@/lib/domain/funding";
import { AppError, assert } from "@/lib/errors";
import { type Answer, failureAnswer } from "@/lib/schemas/envelope";
import { orInProgress } from "@/lib/services/orders/in-progress";
import { submittingOrder, writeRefused } from "@/lib/services/remote-orders/new-order";
import { readAnswer } from "@/lib/services/remote-orders/resume-remote-order";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { submitOrder } from "@/lib/services/remote-orders/submit-order";
import type { OrderSubmission, RemoteVenue } from "@/lib/venue/port";

/**
 * Signs an order, writes it down with its claim and its reservation, and only then sends it. What
 * the book says nobody would take is refused for good without being sent.
 *
 * @returns null when another request has the key.
 * @throws the 502 that says to repeat the request with the same key while its fate is not known.
 */
export async function placeRemoteOrder(
  venue: RemoteVenue,
  claim: Claim,
  submission: OrderSubmission,
): Promise<Answer | null> {
  const trader = await requireTrader(claim.userId);
  const bounded = await boundByBook(venue, submission);
  if ("code" in bounded) return refuse(claim, submission, bounded);
  const signed = await venue.signOrder(trader, bounded);
  const written = submittingOrder(bounded, { signed, keyHash: claim.keyHash });
  const entered = await orInProgress(() =>
    withStatement((db) => claimRemoteOrder(db, { claim, signer: trader }, written)),
  );
  if (entered === "removed") {
    throw new AppError("WALLET_NOT_FOUND", "this user's live wallet was just removed");
  }
  if (entered === "taken") return null;
  const answer =
    (await submitOrder({ venue, trader }, claim.orderId, written)) ?? (await readAnswer(claim));
  assert(answer, "an order whose fate is known has its answer");
  return answer;
}

/**
 * Looks into the book for a market order that cannot go without: one that names no worst price, and
 * a buy of exact shares, which would rest where nobody sells. The venue judges every other one.
 */
async function boundByBook(
  venue: RemoteVenue,
  submission: OrderSubmission,
): Promise<OrderSubmission | Refusal> {
  const { intent } = submission;
  if (intent.type === "limit") return submission;
  const mayRest = intent.action === "BUY" && intent.shares !== null;
  if (intent.worstPrice !== null && !mayRest) return submission;
  const { limit, refusal } = await venue.estimateOrder(submission);
  if (refusal) return refusal;
  return { ...submission, intent: { ...intent, worstPrice: limit } };
}

async function refuse(
  claim: Claim,
  submission: OrderSubmission,
  refusal: Refusal,
): Promise<Answer | null> {
  const answer = failureAnswer(refusal.code, refusal.message);
  return orInProgress(() =>
    withTransaction(async (tx) => {
      if (!(await insertClaim(tx, claim))) return null;
      await writeRefused(tx, submission, refusal);
      await storeAnswer(tx, claim, answer);
      return answer;
    }),
  );
}
