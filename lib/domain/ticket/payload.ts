import type { TicketOrder } from "@/lib/domain/ticket/context";
import { defaultTimeInForce } from "@/lib/domain/time-in-force";
import { microToNumber } from "@/lib/units";

/** Returns an order as the API's JSON fields. Options with their default value are left out. */
export function toPayload({ action, type, budget, limit, options }: TicketOrder) {
  const { timeInForce, expiresAt, postOnly } = options;
  return {
    action,
    orderType: type,
    price: microToNumber(limit),
    ...(budget.kind === "amount"
      ? { amount: microToNumber(budget.amount) }
      : { shares: microToNumber(budget.shares) }),
    ...(timeInForce !== defaultTimeInForce(type) && { timeInForce }),
    ...(expiresAt !== null && { expiresAt }),
    ...(postOnly && { postOnly }),
  };
}
