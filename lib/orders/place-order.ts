import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { Claim } from "@/lib/db/placement-record";
import { selectClaim, type StoredClaim } from "@/lib/db/queries/idempotency";
import { newId } from "@/lib/ids";
import { type Answer, failureAnswer, successBody } from "@/lib/schemas/envelope";
import { Acknowledgement, type PlaceOrderBody } from "@/lib/schemas/orders";
import { startOpening } from "@/lib/accounts/require-trader";
import { requireKnownContract } from "@/lib/orders/live/contract-watch";
import {
  createOrderInProgress,
  withClaimErrors,
  requireSameOrder,
} from "@/lib/orders/idempotency/key-errors";
import {
  toCanonicalFields,
  computeFingerprint,
  hashIdempotencyKey,
  readStoredAnswer,
} from "@/lib/orders/idempotency/fingerprint";
import { generateIdempotencyKey } from "@/lib/orders/idempotency/generated-key";
import { describeAcknowledgement } from "@/lib/domain/acknowledgement-text";
import { buildApprovalUrl } from "@/lib/public-url";
import { prepareOrder } from "@/lib/orders/prepare-order";
import { placeRemoteOrder, resumeRemoteOrder } from "@/lib/orders/live/place-remote-order";
import { getVenue } from "@/lib/venues";
import type {
  EmbeddedVenue,
  OrderSubmission,
  SubmitResult,
  SimulatedFault,
} from "@/lib/venue/port";

export interface Placement {
  answer: Answer;
  orderId: string;
  isReplay: boolean;
}

export interface PlacementOptions {
  simulatedFault?: SimulatedFault;
  /** Whether the idempotency key was generated for this request, so that no order has used it. */
  isKeyNew?: boolean;
}

/**
 * Places an order exactly once per idempotency key. On the paper exchange, one transaction commits the
 * claim of the key, the match, the ledger entries and the response. An order for a remote venue is
 * claimed, signed and recorded before it is sent. A repeated request returns the stored response, or
 * posts the same bytes again.
 */
export async function placeOrder(
  principal: Principal,
  body: PlaceOrderBody,
  { simulatedFault = null, isKeyNew = body.idempotencyKey === undefined }: PlacementOptions = {},
): Promise<Placement> {
  const idempotencyKey = body.idempotencyKey ?? generateIdempotencyKey();
  const keyHash = hashIdempotencyKey(idempotencyKey);
  const fields = toCanonicalFields(body, principal.mode);
  const findStored = async () =>
    isKeyNew ? null : selectClaim(await getDb(), principal.userId, keyHash);

  // The wallet is opened while the key is looked up and the venue is asked about the market.
  const opening = principal.mode === "paper" ? undefined : startOpening(principal.userId);
  // The paper exchange detects a used key when it claims it. A live order would first be signed.
  const stored = principal.mode === "paper" ? null : await findStored();
  if (stored) return replay(principal, stored, fields);

  const venue = getVenue(principal.mode);
  const orderId = newId("ord");
  let submission: OrderSubmission;
  try {
    if (venue.kind === "remote") await requireKnownContract();
    submission = await prepareOrder(venue, {
      principal,
      body,
      orderId,
      idempotencyKey,
      simulatedFault,
    });
    if (venue.kind === "embedded") await venue.prepareOrder(submission.market);
  } catch (error) {
    // A stored response is returned even if the order would now be rejected.
    const former = await findStored();
    if (former) return replay(principal, former, fields);
    throw error;
  }
  const claim: Claim = {
    userId: principal.userId,
    keyHash,
    fingerprint: computeFingerprint(fields),
    fields,
    orderId,
    createdAt: new Date(submission.receivedAt),
  };
  const answer =
    venue.kind === "embedded"
      ? await claimAndSubmit(venue, claim, submission)
      : await placeRemoteOrder(venue, claim, submission, opening);
  if (answer) return { answer, orderId, isReplay: false };

  const winner = await findStored();
  // The request that held the key has rolled back its claim: nothing was placed.
  if (!winner) throw createOrderInProgress();
  return replay(principal, winner, fields);
}

/** Returns null if another request holds the key. */
async function claimAndSubmit(
  venue: EmbeddedVenue,
  claim: Claim,
  submission: OrderSubmission,
): Promise<Answer | null> {
  const build = (result: SubmitResult) => buildAnswer(submission, result);
  const record = { claim, toAnswer: build };
  const result = await withClaimErrors(() => venue.submitOrder(submission, record));
  return result && build(result);
}

function buildAnswer(submission: OrderSubmission, result: SubmitResult): Answer {
  if (result.outcome === "rejected") return failureAnswer(result.code, result.message);
  return {
    status: 200,
    body: successBody(Acknowledgement, {
      idempotencyKey: submission.idempotencyKey,
      message: describeAcknowledgement(submission.intent.action, result),
      orderId: submission.orderId,
      status: result.status,
      ...(result.status === "pending_approval" && {
        approvalUrl: buildApprovalUrl(submission.orderId),
      }),
    }),
  };
}

async function replay(
  principal: Principal,
  stored: StoredClaim,
  fields: Record<string, string>,
): Promise<Placement> {
  requireSameOrder(stored, fields);
  const answer = readStoredAnswer(stored) ?? (await resumeRemoteOrder(principal, stored));
  return { answer, orderId: stored.orderId, isReplay: true };
}
