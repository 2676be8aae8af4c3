import type { TicketOrder } from "@/lib/domain/ticket/context";
import { microToNumber } from "@/lib/units";

/** The fields that the interface takes for an order, as JSON numbers. */
export function toPayload({ action, type, budget, limit }: TicketOrder) {
  return {
    action,
    orderType: type,
    price: microToNumber(limit),
    ...(budget.kind === "amount"
      ? { amount: microToNumber(budget.amount) }
      : { shares: microToNumber(budget.shares) }),
  };
}
