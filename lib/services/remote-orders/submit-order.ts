import "server-only";
import { now, pause } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import {
  type RemoteOrder,
  type RemoteOrderRow,
  selectRemoteOrder,
} from "@/lib/db/queries/remote-orders";
import type { OrderRow } from "@/lib/db/rows";
import type { Refusal } from "@/lib/domain/funding";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import type { Answer } from "@/lib/schemas/envelope";
import type { Connection } from "@/lib/services/remote-orders/connection";
import { endAtOnce } from "@/lib/services/remote-orders/cancel-remote-order";
import { changeOrder } from "@/lib/services/remote-orders/change-order";
import { lookUp } from "@/lib/services/remote-orders/look";
import { GIVEN_BACK, leaseEnd } from "@/lib/services/remote-orders/new-order";
import { type KnownTrade, OrderChange } from "@/lib/services/remote-orders/order-change";
import { recordPost, tradeOfReply } from "@/lib/services/remote-orders/record-post";
import { answerOf, lastingAnswerOf } from "@/lib/services/remote-orders/remote-answer";
import type { PostResult } from "@/lib/venue/port";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
/** Trades of an order that just matched may take a moment to be listed. */
const TRADE_PAUSES_MS = [0, 100, 300];

/**
 * Posts the stored bytes of an order until its fate is known or the time is over. The caller owns
 * the right to post.
 *
 * @param written the order as this request wrote it down; null when an earlier one may have posted
 *   it: then it is looked up first.
 * @returns the answer, if it was decided by a post of this call; otherwise it is kept with the claim.
 * @throws the 502 that says to repeat the request with the same key.
 */
export async function submitOrder(
  connection: Connection,
  orderId: string,
  written: RemoteOrder | null,
): Promise<Answer | null> {
  const { order, remote } = written ?? (await readRemote(orderId));
  // The right to post outlasts the last attempt, however long it took to be written down.
  const deadline = remote.postingUntil.getTime() - env().SUBMIT_ATTEMPT_TIMEOUT_MS;
  let known = written;
  let last: Refusal | null = null;
  if (answerOf(order)) return finish(connection, order);
  if (!written) {
    const seen = await lookUpQuietly(connection, remote);
    if (seen) return finish(connection, seen);
  }
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)) {
    const { body, venueOrderId } = remote;
    const result = await connection.venue.postOrder(connection.trader, {
      body,
      venueOrderId,
      action: order.action,
    });
    const trades = await tradesOf(connection, result, venueOrderId);
    const recorded = await recordPost({ orderId, known }, result, trades);
    known = null;
    if (recorded.answer) return recorded.answer;
    if (answerOf(recorded.order)) return finish(connection, recorded.order);
    last = refusalOf(result);
    const pauseMs =
      result.outcome === "not_placed" ? Math.max(waitMs, result.retryAfterMs) : waitMs;
    const seen = await lookUpQuietly(connection, remote);
    if (seen) return finish(connection, seen);
    if (now() + pauseMs >= deadline) break;
    await pause(pauseMs);
  }
  await giveBackLease(orderId);
  throw new AppError(last.code, last.message);
}

/** A market order for exact shares rests like a limit order: what it did not fill is canceled. */
async function finish(connection: Connection, order: OrderRow): Promise<null> {
  await endAtOnce(connection, order);
  await giveBackLease(order.id);
  return null;
}

async function lookUpQuietly(
  connection: Connection,
  remote: RemoteOrderRow,
): Promise<OrderRow | null> {
  try {
    const order = await lookUp(connection, { remote });
    return answerOf(order) ? order : null;
  } catch (error) {
    // A look that fails leaves the order as unknown as it was.
    log.warn("order not looked up", { orderId: remote.orderId, ...errorFields(error) });
    return null;
  }
}

async function tradesOf(
  { venue, trader }: Connection,
  result: PostResult,
  venueOrderId: string,
): Promise<KnownTrade[]> {
  if (result.outcome !== "accepted" || result.tradeIds.length === 0) return [];
  const only = tradeOfReply(result, venueOrderId);
  if (only) return [only];
  for (const waitMs of TRADE_PAUSES_MS) {
    if (waitMs > 0) await pause(waitMs);
    try {
      const trades = await venue.getTrades(trader, result.tradeIds);
      const own = trades.filter((trade) => trade.venueOrderId === venueOrderId);
      const sum = own.reduce((total, { shares }) => total + shares, 0n);
      if (sum >= result.filledShares) return own;
    } catch (error) {
      log.warn("trades not read", errorFields(error));
    }
  }
  // The reconciler will see them; until then the order counts as open.
  return [];
}

function refusalOf(result: PostResult): Refusal {
  if (result.outcome === "unknown" || result.outcome === "not_placed") {
    return { code: result.code, message: result.message };
  }
  return {
    code: "ORDER_OUTCOME_UNKNOWN",
    message:
      "the venue does not show yet whether it took the order; repeat the request with the same idempotencyKey",
  };
}

/**
 * Takes over the right to post an order, if nobody has it. Whoever let it run out may have posted
 * without recording the outcome: from then on no refusal proves anything.
 */
export async function takeOver(orderId: string): Promise<boolean> {
  return withTransaction(async (tx) => {
    const change = await OrderChange.open(tx, orderId);
    const { postingUntil, isAmbiguous } = change.remote;
    if (lastingAnswerOf(change.order) || postingUntil > change.at) return false;
    const ranOut = postingUntil.getTime() !== GIVEN_BACK.getTime();
    change.lookAgain();
    change.setRemote({ postingUntil: leaseEnd(), isAmbiguous: isAmbiguous || ranOut });
    await change.commit(tx);
    return true;
  });
}

/** Ends the right to post. A market order's answer is what it has done by now. */
async function giveBackLease(orderId: string): Promise<void> {
  await changeOrder({ orderId, known: null }, (change) => {
    change.setRemote({ postingUntil: GIVEN_BACK });
    return change.order.type === "market" ? answerOf(change.order) : null;
  });
}

async function readRemote(orderId: string): Promise<RemoteOrder> {
  const found = await selectRemoteOrder(await getDb(), orderId);
  assert(found, `order ${orderId} was written down before it is posted`);
  return found;
}
