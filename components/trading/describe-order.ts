import {
  type FeeRules,
  formatMicroMoney,
  formatMicroShares,
  formatTickPrice,
  hasFees,
} from "@/components/trading/wording";
import type { TicketOrder } from "@/lib/domain/ticket/context";
import type { Price } from "@/lib/units";

/** Describes an order as it will be sent. */
export function describeOrder(
  { action, type, budget, limit, options }: TicketOrder,
  rules: FeeRules & { tick: Price },
): string {
  const { tick } = rules;
  const verb = action === "BUY" ? "buy" : "sell";
  const size =
    budget.kind === "amount"
      ? `for ${formatMicroMoney(budget.amount)}${hasFees(rules) ? " before the fee" : ""}`
      : `of ${formatMicroShares(budget.shares)} shares`;
  const price = `${formatTickPrice(limit, tick)} or better`;
  if (type === "market") {
    return options.timeInForce === "FOK"
      ? `Market ${verb} ${size}. Fills in full immediately at ${price}, or not at all.`
      : `Market ${verb} ${size}. Fills immediately at ${price}. Anything unfilled is canceled.`;
  }
  const end = options.expiresAt === null ? "you cancel" : "you cancel or the order expires";
  const rest = options.postOnly
    ? `Never fills immediately. Stays open until ${end}.`
    : `Any unfilled shares stay open until ${end}.`;
  return `Limit ${verb} ${size} at ${price}. ${rest}`;
}
