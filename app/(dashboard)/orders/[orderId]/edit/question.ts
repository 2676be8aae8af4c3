import { formatTradeMoney } from "@/components/format/numbers";
import { describeWarning, formatMicroShares } from "@/components/trading/ticket/wording";
import type { ReplacementReview } from "@/lib/orders/review-replacement";
import { microToNumber } from "@/lib/units";

/** Describes what a changed order would fill immediately, its fee and its cost, in sentences. */
export function describeQuestion(review: ReplacementReview): string {
  const { warnings, tick, resting } = review;
  return [
    ...warnings.map((warning) => describeWarning(warning, tick)),
    describeCost(review),
    ...(resting === 0n ? [] : [`The other ${formatMicroShares(resting)} shares stay open.`]),
  ].join(" ");
}

/** "Fee $1.88. You pay $76.88." */
function describeCost({ action, estimate: { amount, fee } }: ReplacementReview): string {
  const money = (micro: bigint) => formatTradeMoney(microToNumber(micro));
  const total =
    action === "BUY" ? `You pay ${money(amount + fee)}.` : `You receive ${money(amount - fee)}.`;
  return `Fee ${money(fee)}. ${total}`;
}
