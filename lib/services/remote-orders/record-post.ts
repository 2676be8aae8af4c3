import "server-only";
import { now } from "@/lib/clock";
import type { OrderRow } from "@/lib/db/rows";
import type { Refusal } from "@/lib/domain/funding";
import { noLiquidity } from "@/lib/domain/order-terms";
import { type Answer, failureAnswer } from "@/lib/schemas/envelope";
import { changeOrder, type Subject } from "@/lib/services/remote-orders/change-order";
import { GIVEN_BACK } from "@/lib/services/remote-orders/new-order";
import type { KnownTrade, OrderChange } from "@/lib/services/remote-orders/order-change";
import { answerOf, lastingAnswerOf } from "@/lib/services/remote-orders/remote-answer";
import { applySighting } from "@/lib/services/remote-orders/sighting";
import { averagePrice } from "@/lib/units";
import type { PostResult } from "@/lib/venue/port";

type Accepted = Extract<PostResult, { outcome: "accepted" }>;

/** An order after a post, and the answer that this post has decided; null when it decided none. */
interface Recorded {
  order: OrderRow;
  answer: Answer | null;
}

/**
 * Records what an answer to a post proves. An order of which a post may have arrived unseen stays
 * unknown whatever a later refusal says: the refusal may be the consequence of the first arrival.
 * Whoever has its answer posts no more: the right to it ends with that.
 */
export async function recordPost(
  subject: Subject,
  result: PostResult,
  trades: readonly KnownTrade[],
): Promise<Recorded> {
  const { change, answer } = await changeOrder(subject, (order) => {
    if (answerOf(order.order) !== null) return null;
    const decided = apply(order, result, trades) ?? lastingAnswerOf(order.order);
    if (decided) order.setRemote({ postingUntil: GIVEN_BACK });
    return decided;
  });
  return { order: change.order, answer };
}

function apply(change: OrderChange, result: PostResult, trades: readonly KnownTrade[]) {
  switch (result.outcome) {
    case "accepted":
      applyAcceptance(change, result, trades);
      return null;
    case "rejected": {
      const { code, message } = inOurWords(change.order, result);
      if (change.remote.isAmbiguous) {
        change.tell("unknown", { code, message });
        return null;
      }
      change.move("rejected", "rejected", { code, message });
      return failureAnswer(code, message);
    }
    case "duplicate":
      change.setRemote({ isAmbiguous: true });
      change.move("unknown", "unknown", { code: "ORDER_OUTCOME_UNKNOWN" });
      return null;
    case "not_placed":
    case "unknown":
      if (result.outcome === "unknown") change.setRemote({ isAmbiguous: true });
      change.move("unknown", "unknown", { code: result.code, message: result.message });
      return null;
  }
}

/** What our own book tells as well is said as it says it. */
function inOurWords({ action, price }: OrderRow, refusal: Refusal): Refusal {
  return refusal.code === "NO_LIQUIDITY" ? noLiquidity(action, price) : refusal;
}

function applyAcceptance(
  change: OrderChange,
  result: Accepted,
  trades: readonly KnownTrade[],
): void {
  const { venueOrderId, orderType } = change.remote;
  change.addTrades(trades);
  // What fills and kills is over once it was answered; its trades tell what it filled.
  const isOver = result.status === "matched" && orderType === "FAK";
  const standing = result.status === "delayed" ? "delayed" : "open";
  const status = isOver || change.isSpent ? "matched" : standing;
  applySighting(change, {
    order: {
      venueOrderId,
      status,
      matchedShares: result.filledShares,
      tradeIds: result.tradeIds,
    },
    trades,
    cancel: null,
  });
}

/** The one trade of an answer that names only one: its figures are the answer's own. */
export function tradeOfReply(result: Accepted, venueOrderId: string): KnownTrade | null {
  const { tradeIds, filledShares, filledNotional } = result;
  const [tradeId, ...others] = tradeIds;
  if (tradeId === undefined || others.length > 0 || filledShares === 0n) return null;
  return {
    tradeId,
    venueOrderId,
    role: "taker",
    settlement: "matched",
    price: averagePrice(filledNotional, filledShares),
    shares: filledShares,
    notional: filledNotional,
    transactionHash: null,
    matchedAt: now(),
  };
}
