import "server-only";
import { requireFormKey } from "@/lib/accounts/deposit-once";
import { requireAccount } from "@/lib/accounts/require-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { selectClaim } from "@/lib/db/queries/idempotency";
import {
  buildReplacementInsert,
  insertRemoteReplacement,
  type NewReplacement,
  type ReplacementRow,
  selectReplacedId,
  selectReplacement,
  storeRestShares,
} from "@/lib/db/queries/order-replacements";
import { requestCancels } from "@/lib/db/queries/remote-cancels";
import type { OrderRow } from "@/lib/db/rows";
import { isReplaceable, type ReplaceResult } from "@/lib/domain/order-replacement";
import { isClosed } from "@/lib/domain/order-status";
import { getTimeInForce } from "@/lib/domain/time-in-force";
import { AppError, assert } from "@/lib/errors";
import { estimatePlacement } from "@/lib/orders/estimate-placement";
import { findPlacement } from "@/lib/orders/find-placement";
import { requireOrder } from "@/lib/orders/get-order";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { cancelRemoteOrder } from "@/lib/orders/live/cancel-remote-orders";
import { requireKnownContract } from "@/lib/orders/live/contract-watch";
import { placeOrder } from "@/lib/orders/place-order";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import {
  averagePrice,
  formatMicro,
  larger,
  NO_SHARES,
  type Price,
  type Shares,
  shares as toShares,
  subtract,
} from "@/lib/units";
import type { EmbeddedVenue, OrderSubmission } from "@/lib/venue/port";
import { getVenue } from "@/lib/venues";

/** The new terms of an open limit order. */
interface ReplacementTerms {
  price: Price;
  /** The new size, including what the order has filled. */
  shares: Shares;
}

export interface ReplaceRequest extends ReplacementTerms {
  orderId: string;
  /** The idempotency key of the new order. A repeat with the same key continues the replacement. */
  key: string;
}

export interface Replacement extends ReplacementTerms {
  key: string;
  result: ReplaceResult;
}

/**
 * Changes the price and size of an open limit order: cancels it, and when the cancel is proved, places
 * the rest with the new terms and the order's other fields. See ADR 27.
 *
 * @throws if the order can't be replaced. Nothing has changed then.
 */
export async function replaceOrder(
  principal: Principal,
  request: ReplaceRequest,
): Promise<ReplaceResult> {
  const checked = await checkReplacement(principal, request);
  if (checked.state === "ended") return checked.result;
  if (checked.state === "startable") {
    const ended = await startReplacement(principal, checked.order, request);
    if (ended) return ended;
  }
  return continueReplacement(principal, request.orderId);
}

type CheckedReplacement =
  | { state: "ended"; result: ReplaceResult }
  /** An earlier request with this key has canceled the order, or has asked for it. */
  | { state: "started" }
  | { state: "startable"; order: OrderRow; submission: OrderSubmission };

/** Checks what a request would do, as far as that can be known. Throws as `replaceOrder` does. */
export async function checkReplacement(
  principal: Principal,
  request: ReplaceRequest,
): Promise<CheckedReplacement> {
  requireFormKey(request.key);
  const db = await getDb();
  const order = await requireOrder(db, principal, request.orderId);
  // An order from before a reset of the account. It is canceled, and must not take the new money.
  const { epoch } = await requireAccount(db, principal);
  if (order.epoch !== epoch) {
    return { state: "ended", result: { outcome: "ended", status: order.status } };
  }
  if (await findStarted(principal, request)) return { state: "started" };
  if (isClosed(order.status)) {
    return { state: "ended", result: await describeEnd(principal, order) };
  }
  return {
    state: "startable",
    order,
    submission: await requireAcceptable(principal, order, request),
  };
}

/** Returns the replacement of an order and what became of it; null if there is none. */
export async function getReplacement(
  principal: Principal,
  orderId: string,
): Promise<Replacement | null> {
  const row = await selectReplacement(await getDb(), principal, orderId);
  if (!row) return null;
  const { key, price, shares } = row;
  return { key, price, shares, result: await readResult(principal, row) };
}

async function readResult(
  principal: Principal,
  { orderId, key, restShares }: ReplacementRow,
): Promise<ReplaceResult> {
  const { status } = await requireOrder(await getDb(), principal, orderId);
  if (!isClosed(status)) return { outcome: "cancel_unknown" };
  if (status !== "canceled") return { outcome: "ended", status };
  if (restShares === null) return { outcome: "unplaced" };
  if (restShares === NO_SHARES) return { outcome: "nothing_left" };
  const placement = await findPlacement(principal, key);
  switch (placement.state) {
    case "none":
      return { outcome: "unplaced" };
    case "unknown":
      return { outcome: "placement_unknown", newOrderId: placement.orderId };
    case "refused":
      return { outcome: "rejected", message: placement.message, newOrderId: placement.orderId };
    case "accepted":
      return describePlaced(await requireOrder(await getDb(), principal, placement.orderId));
  }
}

function describePlaced({ id, status, filledShares, filledNotional }: OrderRow): ReplaceResult {
  const average = filledShares === 0n ? null : averagePrice(filledNotional, filledShares);
  return { outcome: "placed", newOrderId: id, status, filledShares, average };
}

/** Returns the replacement that this key has started. Throws if it has other terms or another order. */
async function findStarted(
  principal: Principal,
  { orderId, key, price, shares }: ReplaceRequest,
): Promise<ReplacementRow | null> {
  const db = await getDb();
  const replacedId = await selectReplacedId(db, principal, key);
  if (replacedId === null) {
    const isUsed = (await selectClaim(db, principal.userId, hashIdempotencyKey(key))) !== null;
    if (isUsed) throw createKeyReused();
    return null;
  }
  const started = replacedId === orderId ? await selectReplacement(db, principal, orderId) : null;
  const isSame = started !== null && started.price === price && started.shares === shares;
  if (!isSame) throw createKeyReused();
  return started;
}

const createKeyReused = () =>
  new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    "This form was already used for another change. Nothing was changed. Reload the page.",
  );

/** Checks all that can be checked while the order is still open, and returns the new order. */
async function requireAcceptable(
  principal: Principal,
  order: OrderRow,
  { price, shares, key }: ReplaceRequest,
): Promise<OrderSubmission> {
  if (!isReplaceable(order)) {
    throw new AppError("VALIDATION_ERROR", "Only an open limit order that Ante placed can change.");
  }
  if (order.price === price && order.shares === shares) {
    throw new AppError("VALIDATION_ERROR", "Change the price or the number of shares.");
  }
  const rest = subtract(shares, order.filledShares);
  if (rest <= 0n) {
    throw new AppError(
      "ORDER_TOO_SMALL",
      `${formatMicro(order.filledShares)} shares are filled. Enter more than that, or cancel the order.`,
      { field: "shares" },
    );
  }
  if (principal.mode === "live") await requireKnownContract();
  const body = buildBody(order, price, rest, key);
  const { refusal, submission } = await estimatePlacement(principal, body, order);
  if (refusal) throw new AppError(refusal.code, refusal.message);
  return submission;
}

/** The order with other terms: its outcome, side, expiry and post-only stay. */
function buildBody(order: OrderRow, price: Price, shares: Shares, key: string): PlaceOrderBody {
  return {
    tokenId: order.tokenId,
    action: order.action,
    orderType: "limit",
    price,
    shares,
    idempotencyKey: key,
    timeInForce: getTimeInForce(order),
    expiresAt: order.expiresAt ?? undefined,
    postOnly: order.isPostOnly,
  };
}

/**
 * Claims the order for the replacement, and cancels it or records the request to. Only the transaction
 * that does both may place later, so of concurrent replacements and cancels one alone continues.
 *
 * @returns how the order ended, if it can't be replaced any more.
 */
async function startReplacement(
  principal: Principal,
  order: OrderRow,
  { key, price, shares }: ReplaceRequest,
): Promise<ReplaceResult | null> {
  const { userId } = principal;
  const createdAt = new Date(now());
  const replacement = { orderId: order.id, userId, key, price, shares, createdAt };
  if (await tryStart(principal, order, replacement)) return null;
  const db = await getDb();
  // A concurrent request with the same key has started it.
  if ((await selectReplacedId(db, principal, key)) === order.id) return null;
  const ended = await requireOrder(db, principal, order.id);
  if (isClosed(ended.status)) return describeEnd(principal, ended);
  throw new AppError("ORDER_REJECTED", "The order is being canceled. It wasn't changed.");
}

/** Describes how an order ended that this request didn't replace. */
async function describeEnd(principal: Principal, { id, status }: OrderRow): Promise<ReplaceResult> {
  const other = await selectReplacement(await getDb(), principal, id);
  return other ? { outcome: "superseded" } : { outcome: "ended", status };
}

/** Returns whether this request claimed the order, and no concurrent one. */
async function tryStart(
  principal: Principal,
  order: OrderRow,
  replacement: NewReplacement,
): Promise<boolean> {
  const venue = getVenue(principal.mode);
  try {
    return venue.kind === "embedded"
      ? await cancelEmbedded(venue, principal, order, replacement)
      : await requestRemoteCancel(principal, replacement);
  } catch (error) {
    // At `serializable`, a transaction that waited for the order still sees it as it was before.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

async function cancelEmbedded(
  venue: EmbeddedVenue,
  { userId, keyId, requestId }: Principal,
  order: OrderRow,
  replacement: NewReplacement,
): Promise<boolean> {
  const recordCancel = () => buildReplacementInsert(replacement);
  const results = await venue.cancelOrders({
    orders: [order],
    userId,
    keyId,
    requestId,
    recordCancel,
  });
  return results.get(order.id)?.outcome === "canceled";
}

async function requestRemoteCancel(
  { userId, keyId, requestId }: Principal,
  replacement: NewReplacement,
): Promise<boolean> {
  // Without a wallet, the request could not be sent.
  await requireTrader(userId);
  const { orderId, createdAt: at } = replacement;
  return withTransaction(async (tx) => {
    if (!(await insertRemoteReplacement(tx, replacement))) return false;
    await requestCancels(tx, { userId, keyId, requestId, at }, { orderIds: [orderId] });
    return true;
  });
}

/** Proves the cancel of a claimed order, then places the rest. Each step can be repeated. */
async function continueReplacement(principal: Principal, orderId: string): Promise<ReplaceResult> {
  const canceled = await proveCancel(principal, orderId);
  const db = await getDb();
  const claimed = await selectReplacement(db, principal, orderId);
  assert(claimed, "a replacement is claimed before it continues");
  if (canceled?.status !== "canceled") return readResult(principal, claimed);
  const filled = subtract(claimed.shares, canceled.filledShares);
  const rest = await storeRestShares(db, orderId, toShares(larger(filled, NO_SHARES)));
  if (rest > 0n) {
    const body = buildBody(canceled, claimed.price, rest, claimed.key);
    const refused = await placeRest(principal, body);
    if (refused) return refused;
  }
  return readResult(principal, { ...claimed, restShares: rest });
}

/** Returns the order once it has ended; null while the venue has not confirmed that. */
async function proveCancel(principal: Principal, orderId: string): Promise<OrderRow | null> {
  const venue = getVenue(principal.mode);
  try {
    if (venue.kind === "remote") await cancelRemoteOrder(venue, principal, orderId);
  } catch (error) {
    if (!(error instanceof AppError) || error.status < 500) throw error;
    return null;
  }
  return requireOrder(await getDb(), principal, orderId);
}

/** Places the rest. Returns a rejection that used up no key, such as of a closed market. */
async function placeRest(
  principal: Principal,
  body: PlaceOrderBody,
): Promise<ReplaceResult | null> {
  try {
    await placeOrder(principal, body);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The record of the key says whether an order was placed.
    return error.status < 500
      ? { outcome: "rejected", message: error.message, newOrderId: null }
      : null;
  }
}
