import "server-only";
import { type Funds, readFunds } from "@/lib/accounts/read-funds";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { now } from "@/lib/clock";
import { countWaiting } from "@/lib/db/queries/approvals";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import { selectLiveWallet, toSessionKey } from "@/lib/db/queries/live-wallets";
import { countReservingOrders } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import { type Refusal, refuseUnfunded } from "@/lib/domain/funding";
import { type LimitedSubject, refuseByLimits } from "@/lib/domain/limits";
import { refuseExpiredKey } from "@/lib/domain/session-key";
import { newId } from "@/lib/ids";
import { estimateOrder } from "@/lib/orders/estimate-order";
import { prepareOrder } from "@/lib/orders/prepare-order";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import type { OrderEstimate, OrderSubmission } from "@/lib/venue/port";
import { NO_USDC, subtract, usdc } from "@/lib/units";
import { needsApproval, refuseManyWaiting } from "@/lib/domain/approvals";
import { toLimitedOrder } from "@/lib/venue/order-row";
import { getVenue } from "@/lib/venues";

export interface PlacementEstimate {
  submission: OrderSubmission;
  estimate: OrderEstimate;
  funds: Funds;
  /** Whether it would wait for the owner's approval. */
  waits: boolean;
  /** What it would reserve: USDC for a BUY, shares for a SELL. */
  hold: bigint;
  /** The rejection by the account or the book, or null. */
  refusal: Refusal | null;
}

/**
 * Estimates what a placement would do now. An invalid body throws the same error as its placement.
 *
 * @param replaced an open order of the same outcome and side that is canceled first: its funds count as
 *   available, and it makes room for the new order.
 */
export async function estimatePlacement(
  principal: Principal,
  body: PlaceOrderBody,
  replaced: OrderRow | null = null,
): Promise<PlacementEstimate> {
  const venue = getVenue(principal.mode);
  const submission = await prepareOrder(venue, {
    principal,
    body,
    orderId: newId("ord"),
    idempotencyKey: body.idempotencyKey ?? "preview",
    simulatedFault: null,
  });
  const estimate = await estimateOrder(venue, submission);
  const funds = await readFunds(principal, { ...body, market: submission.market });
  const isBuy = body.action === "BUY";
  const asset = isBuy ? funds.cash : funds.shares;
  const freed = replaced?.held ?? 0n;
  const reserving = await countReservingOrders(
    await getDb(),
    principal,
    isBuy ? null : body.tokenId,
  );
  const { waits, limited } = await checkLimits(principal, { submission, estimate, replaced });
  const hold = waits ? estimate.laterHold : estimate.hold;
  const unfunded = refuseUnfunded({
    action: body.action,
    hold,
    available: asset.available + freed,
    reserved: asset.held - freed,
    reservingOrders: replaced ? reserving - 1 : reserving,
    allowance: funds.allowance,
    shareAllowance: funds.shareAllowance,
    allowanceUsed: funds.allowanceUsed - (isBuy ? freed : 0n),
  });
  const isFull = estimate.refusal?.code === "RISK_LIMIT_EXCEEDED";
  // An order that waits is not open yet.
  const refused = (replaced || waits) && isFull ? null : estimate.refusal;
  const expired = principal.mode === "live" ? await refuseByKey(principal.userId) : null;
  const refusal = expired ?? refused ?? limited ?? unfunded;
  return { submission, estimate, funds, waits, hold, refusal };
}

/** Refuses an order whose live wallet has an expired session key. */
async function refuseByKey(userId: string): Promise<Refusal | null> {
  const wallet = await selectLiveWallet(await getDb(), userId);
  return refuseExpiredKey(wallet && toSessionKey(wallet), now());
}

/** Checks an order against the limits of the key, the account and the user. */
async function checkLimits(
  principal: Principal,
  {
    submission,
    estimate,
    replaced,
  }: Pick<PlacementEstimate, "submission" | "estimate"> & { replaced: OrderRow | null },
): Promise<{ waits: boolean; limited: Refusal | null }> {
  const { userId, mode, keyId } = principal;
  const { market } = submission;
  const query = { userId, mode, keyId, marketId: market.id, now: now() };
  const subjects = await readLimitedSubjects(await getDb(), query);
  // A live order reserves its highest fee from the start.
  const hold = mode === "live" ? estimate.laterHold : estimate.hold;
  const atOnce = toLimitedOrder(submission, { ...estimate, hold, waits: false });
  const waits = submission.canAskOwner && needsApproval(atOnce, subjects);
  const tooMany = waits ? refuseManyWaiting(await countWaiting(await getDb(), principal)) : null;
  const order = waits
    ? toLimitedOrder(submission, { ...estimate, hold: estimate.laterHold, waits })
    : atOnce;
  const left = replaced ? subjects.map((one) => without(one, replaced)) : subjects;
  return { waits, limited: tooMany ?? refuseByLimits(order, left) };
}

/** Takes an order that is canceled first out of what counts against the limits. */
function without(subject: LimitedSubject, { action, held }: OrderRow): LimitedSubject {
  const { usage } = subject;
  const freed = action === "BUY" ? usdc(held) : NO_USDC;
  return {
    ...subject,
    usage: {
      ...usage,
      reserved: subtract(usage.reserved, freed),
      marketReserved: subtract(usage.marketReserved, freed),
      openOrders: usage.openOrders - 1,
    },
  };
}
