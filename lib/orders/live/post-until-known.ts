import "server-only";
import { pause, now, monotonic } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import {
  type RemoteOrder,
  type RemoteOrderRow,
  selectRemoteOrder,
} from "@/lib/db/queries/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
import type { Refusal } from "@/lib/domain/funding";
import { sumShares } from "@/lib/domain/trade-parts";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { type Answer, failureAnswer } from "@/lib/schemas/envelope";
import { raiseAlarm } from "@/lib/orders/live/alarms";
import { findContractPause, reportContractChange } from "@/lib/orders/live/contract-watch";
import {
  type Connection,
  queryOrder,
  applyOrderReport,
  isReportedAsNotPlaced,
} from "@/lib/orders/live/apply-report";
import { cancelRemainder } from "@/lib/orders/live/cancel-remote-orders";
import {
  changeOrder,
  type KnownTrade,
  OrderChange,
  type ChangeTarget,
} from "@/lib/orders/live/order-change";
import { buildAnswer, buildFinalAnswer, buildLateAnswer } from "@/lib/orders/live/placement-answer";
import type { PostResult } from "@/lib/venue/port";
import { refuseUnfilled } from "@/lib/domain/order-terms";
import { averagePrice } from "@/lib/units";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
/** The venue lists the trades of a new match after a short delay. */
const TRADE_PAUSES_MS = [0, 100, 300];

interface Submission {
  orderId: string;
  /**
   * The order as this request recorded it. Null if an earlier request may have posted it: then the
   * order is queried first.
   */
  written: RemoteOrder | null;
  /** The posting lease that this request holds. */
  lease: PostingLease;
}

/**
 * Posts the stored bytes of an order until its outcome is known or the lease ends.
 *
 * @returns the response if a post of this call decided it; null if it is stored with the claim.
 * @throws the 502 to repeat the request with the same key.
 */
export async function submitOrder(
  connection: Connection,
  { orderId, written, lease }: Submission,
): Promise<Answer | null> {
  const { order, remote } = written ?? (await readRemote(orderId));
  let known = written;
  let last: Refusal = NOT_VISIBLE;
  if (buildAnswer(order)) return finish(connection, order, lease);
  if (!written) {
    const seen = await tryQueryOrder(connection, remote);
    if (seen) return finish(connection, seen, lease);
  }
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)) {
    const { body, venueOrderId } = remote;
    assert(body !== null, "an external order is never posted");
    const pausedBy = await findContractPause();
    if (pausedBy) {
      last = pausedBy;
      break;
    }
    const postable = { body, venueOrderId, action: order.action };
    const result = await connection.venue.postOrder(connection.trader, postable, lease);
    if (result.outcome === "rejected" && result.isContractChange) {
      reportContractChange(`order: ${result.message}`);
    }
    let mayPost = result.outcome !== "not_sent" && result.outcome !== "blocked";
    if (result.outcome === "not_sent") {
      log.warn("order not posted: posting lease expired", { orderId });
    } else {
      const trades = await readTrades(connection, result, remote);
      const recorded = await recordPost({ orderId, known }, result, trades);
      known = null;
      if (recorded.isCancelRequested) mayPost = false;
      if (recorded.answer) {
        if (recorded.isCancelRequested) await cancelRemainder(connection, recorded.order);
        return recorded.answer;
      }
      if (buildAnswer(recorded.order)) return finish(connection, recorded.order, lease);
      last = toRefusal(result);
    }
    if (result.outcome === "blocked") raiseAlarm("UPSTREAM_BLOCKED", { orderId });
    const seen = await tryQueryOrder(connection, remote);
    if (seen) return finish(connection, seen, lease);
    const pauseMs =
      result.outcome === "not_placed" ? Math.max(waitMs, result.retryAfterMs) : waitMs;
    // The lease must outlast the last attempt.
    if (!mayPost || lease.leftMs - pauseMs <= env().SUBMIT_ATTEMPT_TIMEOUT_MS) break;
    await pause(pauseMs);
  }
  await releaseLease(orderId, lease);
  throw new AppError(last.code, last.message);
}

/** Cancels the remainder of a market order for exact shares, which rests like a limit order. */
async function finish(connection: Connection, order: OrderRow, lease: PostingLease): Promise<null> {
  await cancelRemainder(connection, order);
  await releaseLease(order.id, lease);
  return null;
}

async function tryQueryOrder(
  connection: Connection,
  remote: RemoteOrderRow,
): Promise<OrderRow | null> {
  try {
    const order = await queryOrder(connection, { remote });
    return buildAnswer(order) ? order : null;
  } catch (error) {
    // A failed query leaves the order unknown.
    log.warn("order query failed", { orderId: remote.orderId, ...errorFields(error) });
    return null;
  }
}

async function readTrades(
  { venue, trader }: Connection,
  result: PostResult,
  remote: RemoteOrderRow,
): Promise<KnownTrade[]> {
  if (result.outcome !== "accepted" || result.tradeIds.length === 0) return [];
  const only = buildResponseTrade(result, remote);
  if (only) return [only];
  for (const waitMs of TRADE_PAUSES_MS) {
    if (waitMs > 0) await pause(waitMs);
    try {
      const trades = await venue.getTrades(trader, result.tradeIds);
      const own = trades.filter((trade) => trade.venueOrderId === remote.venueOrderId);
      const matched = sumShares(own.flatMap(({ parts }) => parts));
      if (matched >= result.filledShares) return own;
    } catch (error) {
      log.warn("trades not read", errorFields(error));
    }
  }
  // The reconciler reads the trades later; until then the order counts as open.
  return [];
}

const NOT_VISIBLE: Refusal = {
  code: "ORDER_OUTCOME_UNKNOWN",
  message:
    "The venue has not confirmed the order yet. Repeat the request with the same idempotencyKey.",
};

function toRefusal(result: PostResult): Refusal {
  switch (result.outcome) {
    case "unknown":
    case "blocked":
    case "not_placed":
      return { code: result.code, message: result.message };
    default:
      return NOT_VISIBLE;
  }
}

/**
 * Takes over the posting lease of an order if no other request holds it. The holder of an expired
 * lease may have posted without recording the outcome, so later rejections prove nothing.
 */
export async function takeOver(orderId: string): Promise<PostingLease | null> {
  const lease = new PostingLease();
  return withTransaction(async (tx) => {
    const change = await OrderChange.lock(tx, orderId);
    const { postingUntil, isAmbiguous } = change.remote;
    if (buildFinalAnswer(change.order) || postingUntil > change.readAt) return null;
    // An order with a cancel request is not posted again. The reconciler finds its outcome.
    if (change.order.type === "limit" && change.remote.cancelRequestedAt !== null) return null;
    const hasExpired = postingUntil.getTime() !== LEASE_RELEASED.getTime();
    change.resetUnseen();
    lease.until = new Date(change.readAt.getTime() + lease.lengthMs);
    change.setRemote({ postingUntil: lease.until, isAmbiguous: isAmbiguous || hasExpired });
    await change.commit(tx);
    return lease;
  });
}

/**
 * Releases the posting lease, unless it expired and another request holds it. A market order then
 * stores its response, which reports its fills so far.
 */
async function releaseLease(orderId: string, lease: PostingLease): Promise<void> {
  await changeOrder({ orderId, known: null }, (change) => {
    if (change.remote.postingUntil.getTime() === lease.until?.getTime()) {
      change.setRemote({ postingUntil: LEASE_RELEASED });
      // The wait before the order may be abandoned starts with the last post.
      if (buildAnswer(change.order) === null) change.resetUnseen();
    }
    return change.order.type === "market" ? buildAnswer(change.order) : null;
  });
}

async function readRemote(orderId: string): Promise<RemoteOrder> {
  const found = await selectRemoteOrder(await getDb(), orderId);
  assert(found, `order ${orderId} is recorded before it is posted`);
  return found;
}

type Accepted = Extract<PostResult, { outcome: "accepted" }>;

/** An order after a post, and the response that the post decided; null if it decided none. */
interface Recorded {
  order: OrderRow;
  answer: Answer | null;
  /** Whether a cancel was requested since the order was recorded. */
  isCancelRequested: boolean;
}

/**
 * Records what the response to a post proves. If an earlier post may have arrived, a later rejection
 * proves nothing, as it may be a consequence of that post: the order stays unknown. A decided
 * response ends the posting lease.
 */
async function recordPost(
  target: ChangeTarget,
  result: PostResult,
  trades: readonly KnownTrade[],
): Promise<Recorded> {
  const { change, answer } = await changeOrder(target, (order) => {
    // A late acceptance proves that the response in between was wrong.
    const isLate = isReportedAsNotPlaced(order.order) && result.outcome === "accepted";
    if (buildAnswer(order.order) !== null && !isLate) return null;
    const rejection = applyPost(order, result, trades);
    const acceptance = order.hasReappeared
      ? buildLateAnswer(order.order)
      : buildFinalAnswer(order.order);
    const decided = rejection ?? acceptance;
    if (decided) order.setRemote({ postingUntil: LEASE_RELEASED });
    return decided;
  });
  const { order, remote } = change;
  // A market order for exact shares is recorded with a cancel request for its remainder.
  const isCancelRequested = order.type === "limit" && remote.cancelRequestedAt !== null;
  return { order, answer, isCancelRequested };
}

function applyPost(change: OrderChange, result: PostResult, trades: readonly KnownTrade[]) {
  switch (result.outcome) {
    case "accepted":
      applyAcceptance(change, result, trades);
      return null;
    case "rejected": {
      const { code, message } = toOwnWording(change.order, result);
      if (change.remote.isAmbiguous) {
        change.recordEvent("unknown", { code, message });
        return null;
      }
      change.move("rejected", "rejected", { code, message });
      return failureAnswer(code, message);
    }
    case "not_sent":
      return null;
    case "duplicate":
      change.setRemote({ isAmbiguous: true });
      change.move("unknown", "unknown", { code: "ORDER_OUTCOME_UNKNOWN" });
      return null;
    case "not_placed":
    case "blocked":
    case "unknown":
      if (result.outcome !== "not_placed") change.setRemote({ isAmbiguous: true });
      change.move("unknown", "unknown", { code: result.code, message: result.message });
      return null;
  }
}

/** Uses the same message as the paper venue for an order that the book cannot fill. */
function toOwnWording(order: OrderRow, refusal: Refusal): Refusal {
  const isUnfilled = refusal.code === "NO_LIQUIDITY" || refusal.code === "ORDER_NOT_FILLED";
  return isUnfilled ? refuseUnfilled(order, order.price) : refusal;
}

function applyAcceptance(
  change: OrderChange,
  result: Accepted,
  trades: readonly KnownTrade[],
): void {
  const { venueOrderId, orderType } = change.remote;
  change.addTrades(trades);
  // FAK and FOK orders end with the response to the post; their trades have the fills.
  const isEnded = result.status === "matched" && (orderType === "FAK" || orderType === "FOK");
  const openStatus = result.status === "delayed" ? "delayed" : "open";
  const status = isEnded || change.isSpent ? "matched" : openStatus;
  applyOrderReport(change, {
    order: {
      venueOrderId,
      status,
      matchedShares: result.filledShares,
      tradeIds: result.tradeIds,
      wallet: null,
      details: null,
    },
    trades,
    cancel: null,
  });
}

/**
 * Builds the trade of a response that names exactly one trade. Null if the market charges fees: the
 * fee depends on each maker's price, which only the trade itself lists.
 */
function buildResponseTrade(
  result: Accepted,
  { venueOrderId, feeRate }: Pick<RemoteOrderRow, "venueOrderId" | "feeRate">,
): KnownTrade | null {
  const { tradeIds, filledShares, filledNotional } = result;
  if (feeRate !== 0n) return null;
  const [tradeId, ...others] = tradeIds;
  if (tradeId === undefined || others.length > 0 || filledShares === 0n) return null;
  return {
    tradeId,
    venueOrderId,
    role: "taker",
    settlement: "matched",
    parts: [{ price: averagePrice(filledNotional, filledShares), shares: filledShares }],
    notional: filledNotional,
    wallet: null,
    terms: null,
    transactionHash: null,
    matchedAt: now(),
  };
}

/** The value of `posting_until` while no process holds the lease and the last attempt was recorded. */
export const LEASE_RELEASED = new Date(0);

/**
 * The lease under which one request may post an order, measured by this process. Other processes wait
 * until `posting_until` of the row. A process that was stopped or suspended, or whose event loop was
 * blocked, must detect the end of its lease itself: another process may have abandoned the order.
 *
 * Create the lease before the row is written, so that it ends here no later than in the row. Only its
 * length is measured here, because the clocks of two hosts differ.
 */
export class PostingLease {
  readonly lengthMs = env().SUBMIT_BUDGET_MS + env().SUBMIT_ATTEMPT_TIMEOUT_MS;
  private readonly wall = now();
  private readonly steady = monotonic();

  /**
   * The end of the lease in the row, by the database's clock. Until then, no other request posts or
   * abandons the order. Null before the row is written.
   */
  until: Date | null = null;

  /**
   * Milliseconds left; zero or less once the lease has expired. The wall clock can be set back, and
   * the monotonic clock stops while the machine is suspended, so the larger elapsed time counts.
   */
  get leftMs(): number {
    return this.lengthMs - Math.max(now() - this.wall, monotonic() - this.steady);
  }
}
