import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withTransaction } from "@/lib/db/client";
import { isLockTimeout } from "@/lib/db/errors";
import {
  type Claim,
  insertClaim,
  selectClaim,
  type StoredClaim,
  storeAnswer,
} from "@/lib/db/queries/idempotency";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { type Answer, failureAnswer, successBody } from "@/lib/schemas/envelope";
import { Acknowledgement, type PlaceOrderBody } from "@/lib/schemas/orders";
import {
  canonicalFields,
  fingerprintOf,
  hashIdempotencyKey,
  replayAnswer,
} from "@/lib/services/orders/idempotency";
import { acknowledge } from "@/lib/services/orders/messages";
import { prepareOrder } from "@/lib/services/orders/prepare-order";
import { venueOf } from "@/lib/venue";
import type { OrderSubmission, SubmitResult, Venue, VenueRehearsal } from "@/lib/venue/port";

export interface Placement {
  answer: Answer;
  orderId: string;
  isReplay: boolean;
}

/**
 * Places an order exactly once. The key's claim, the match, the ledger and the answer commit in one
 * transaction, so whoever repeats the request finds all of them or none.
 */
export async function placeOrder(
  principal: Principal,
  body: PlaceOrderBody,
  rehearsal: VenueRehearsal = null,
): Promise<Placement> {
  const idempotencyKey = body.idempotencyKey ?? newId("auto");
  const keyHash = hashIdempotencyKey(idempotencyKey);
  const fields = canonicalFields(body, principal.mode);
  const findStored = async () => selectClaim(await getDb(), principal.userId, keyHash);

  const stored = body.idempotencyKey === undefined ? null : await findStored();
  if (stored) return replay(stored, fields);

  const venue = venueOf(principal.mode);
  const orderId = newId("ord");
  const submission = await prepareOrder(venue, {
    principal,
    body,
    orderId,
    idempotencyKey,
    rehearsal,
  });
  const claim: Claim = {
    userId: principal.userId,
    keyHash,
    fingerprint: fingerprintOf(fields),
    fields,
    orderId,
    createdAt: new Date(submission.receivedAt),
  };
  const answer = await claimAndSubmit(venue, claim, submission);
  if (answer) return { answer, orderId, isReplay: false };

  const winner = await findStored();
  // The one that held the key has undone its claim after all: nothing was placed.
  if (!winner) throw inProgress();
  return replay(winner, fields);
}

/** Null when another request has the key. */
async function claimAndSubmit(
  venue: Venue,
  claim: Claim,
  submission: OrderSubmission,
): Promise<Answer | null> {
  try {
    return await withTransaction(async (tx) => {
      if (!(await insertClaim(tx, claim))) return null;
      const result = await venue.submitOrder(tx, submission);
      const answer = toAnswer(submission, result);
      await storeAnswer(tx, claim, answer);
      return answer;
    });
  } catch (error) {
    if (isLockTimeout(error)) throw inProgress(error);
    throw error;
  }
}

function toAnswer(submission: OrderSubmission, result: SubmitResult): Answer {
  if (result.outcome === "rejected") return failureAnswer(result.code, result.message);
  return {
    status: 200,
    body: successBody(Acknowledgement, {
      idempotencyKey: submission.idempotencyKey,
      message: acknowledge(submission.intent, result),
      orderId: submission.orderId,
      status: result.status,
    }),
  };
}

function replay(stored: StoredClaim, fields: Record<string, string>): Placement {
  return { answer: replayAnswer(stored, fields), orderId: stored.orderId, isReplay: true };
}

function inProgress(cause?: unknown): AppError {
  return new AppError(
    "ORDER_IN_PROGRESS",
    "an order with this idempotencyKey is being placed; repeat the request with the same key",
    { cause },
  );
}
