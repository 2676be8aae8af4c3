import { describeWarning, formatMicroMoney, formatMicroShares } from "@/components/trading/wording";
import type { ReplacementReview } from "@/lib/orders/review-replacement";

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
  const total =
    action === "BUY"
      ? `You pay ${formatMicroMoney(amount + fee)}.`
      : `You receive ${formatMicroMoney(amount - fee)}.`;
  return `Fee ${formatMicroMoney(fee)}. ${total}`;
}
