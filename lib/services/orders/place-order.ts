import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withTransaction } from "@/lib/db/client";
import { type Claim, selectClaim, type StoredClaim } from "@/lib/db/queries/idempotency";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { type Answer, failureAnswer, successBody } from "@/lib/schemas/envelope";
import { Acknowledgement, type PlaceOrderBody } from "@/lib/schemas/orders";
import {
  canonicalFields,
  fingerprintOf,
  hashIdempotencyKey,
  requireSameOrder,
  storedAnswer,
} from "@/lib/services/orders/idempotency";
import { inProgress, orInProgress } from "@/lib/services/orders/in-progress";
import { acknowledge } from "@/lib/services/orders/messages";
import { prepareOrder } from "@/lib/services/orders/prepare-order";
import { placeRemoteOrder } from "@/lib/services/remote-orders/place-remote-order";
import { resumeRemoteOrder } from "@/lib/services/remote-orders/resume-remote-order";
import { venueOf } from "@/lib/venue";
import type {
  EmbeddedVenue,
  OrderSubmission,
  SubmitResult,
  VenueRehearsal,
} from "@/lib/venue/port";

export interface Placement {
  answer: Answer;
  orderId: string;
  isReplay: boolean;
}

/**
 * Places an order exactly once. On the paper exchange the key's claim, the match, the ledger and the
 * answer commit in one transaction, so whoever repeats the request finds all of them or none. An
 * order for a remote venue is claimed, signed and written down before it is sent; whoever repeats
 * the request finds its answer, or goes on with the same bytes.
 */
export async function placeOrder(
  principal: Principal,
  body: PlaceOrderBody,
  rehearsal: VenueRehearsal = null,
): Promise<Placement> {
  const idempotencyKey = body.idempotencyKey ?? newId("auto");
  const keyHash = hashIdempotencyKey(idempotencyKey);
  const fields = canonicalFields(body, principal.mode);
  const findStored = async () =>
    body.idempotencyKey === undefined
      ? null
      : selectClaim(await getDb(), principal.userId, keyHash);

  // The paper exchange finds a used key by claiming it. Signing for a venue is work to be spared.
  const stored = principal.mode === "paper" ? null : await findStored();
  if (stored) return replay(principal, stored, fields);

  const venue = venueOf(principal.mode);
  const orderId = newId("ord");
  let submission: OrderSubmission;
  try {
    submission = await prepareOrder(venue, {
      principal,
      body,
      orderId,
      idempotencyKey,
      rehearsal,
    });
    if (venue.kind === "embedded") await venue.prepareOrder(submission.market);
  } catch (error) {
    // What was answered once is answered for ever, even where the order would be refused by now.
    const former = await findStored();
    if (former) return replay(principal, former, fields);
    throw error;
  }
  const claim: Claim = {
    userId: principal.userId,
    keyHash,
    fingerprint: fingerprintOf(fields),
    fields,
    orderId,
    createdAt: new Date(submission.receivedAt),
  };
  const answer =
    venue.kind === "embedded"
      ? await claimAndSubmit(venue, claim, submission)
      : await namingKey(body, idempotencyKey, () => placeRemoteOrder(venue, claim, submission));
  if (answer) return { answer, orderId, isReplay: false };

  const winner = await findStored();
  // The one that held the key has undone its claim after all: nothing was placed.
  if (!winner) throw inProgress();
  return replay(principal, winner, fields);
}

/** Tells whoever left the key to us which one to repeat the request with. */
async function namingKey<T>(
  body: PlaceOrderBody,
  idempotencyKey: string,
  place: () => Promise<T>,
): Promise<T> {
  try {
    return await place();
  } catch (error) {
    if (body.idempotencyKey !== undefined || !(error instanceof AppError)) throw error;
    const message = `${error.message} (idempotencyKey: ${idempotencyKey})`;
    throw new AppError(error.code, message, { headers: error.headers, cause: error });
  }
}

/** Null when another request has the key. */
async function claimAndSubmit(
  venue: EmbeddedVenue,
  claim: Claim,
  submission: OrderSubmission,
): Promise<Answer | null> {
  const answerOf = (result: SubmitResult) => toAnswer(submission, result);
  const result = await orInProgress(() =>
    withTransaction((tx) => venue.submitOrder(tx, submission, { claim, answerOf })),
  );
  return result && answerOf(result);
}

function toAnswer(submission: OrderSubmission, result: SubmitResult): Answer {
  if (result.outcome === "rejected") return failureAnswer(result.code, result.message);
  return {
    status: 200,
    body: successBody(Acknowledgement, {
      idempotencyKey: submission.idempotencyKey,
      message: acknowledge(submission.intent.action, result),
      orderId: submission.orderId,
      status: result.status,
    }),
  };
}

async function replay(
  principal: Principal,
  stored: StoredClaim,
  fields: Record<string, string>,
): Promise<Placement> {
  requireSameOrder(stored, fields);
  const answer = storedAnswer(stored) ?? (await resumeRemoteOrder(principal, stored));
  return { answer, orderId: stored.orderId, isReplay: true };
}
