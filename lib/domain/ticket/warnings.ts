import type { TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import { type Estimate } from "@/lib/domain/ticket/estimate";
import type { PartialFill, TicketWarning } from "@/lib/domain/ticket/issues";
import { divide, formatMicro, price } from "@/lib/units";
import { classifyImpact } from "@/lib/domain/ticket/must-review";

/** A limit this much worse than the best price is probably a typo. */
const FAR = 200_000n;
const CENT = 10_000n;

type PricedOrder = Omit<TicketOrder, "options">;

/** Returns the warnings that the user must see before the order is placed. */
export function findWarnings(
  order: PricedOrder,
  estimate: Estimate,
  funds: TicketFunds | null,
): TicketWarning[] {
  const { canceled } = estimate;
  const warnings = [
    ...(order.type === "market"
      ? findMarketWarnings(order, estimate)
      : findLimitWarnings(order, estimate)),
    ...(canceled.length > 0 ? [{ kind: "cancels_own", orders: canceled } as const] : []),
  ];
  const isUnknown = order.action === "BUY" && funds !== null && funds.approved === null;
  return isUnknown ? [...warnings, { kind: "allowance_unknown" }] : warnings;
}

function findMarketWarnings(order: PricedOrder, estimate: Estimate): TicketWarning[] {
  const { best, average, impact } = estimate;
  if (best === null || average === null) return [];
  const level = classifyImpact(impact, best);
  const { action } = order;
  const moved: TicketWarning[] =
    level === "none"
      ? []
      : [{ kind: "impact", action, average, impact, isSevere: level === "confirm" }];
  return estimate.isComplete
    ? moved
    : [...moved, { kind: "partial", ...describePartialFill(order, estimate) }];
}

/** Describes the part of a market order that fills when the rest lies beyond its worst price. */
export function describePartialFill(order: PricedOrder, estimate: Estimate): PartialFill {
  const { action, budget, limit } = order;
  const [fillable, requested] =
    budget.kind === "shares" ? [estimate.filled, budget.shares] : [estimate.amount, budget.amount];
  const fix = { field: budget.kind, text: formatMicro(findFillableSize(order, estimate)) };
  return { action, fillable, requested, limit, fix };
}

/** Returns the size of an order that fills in full with what an order too large for the book gets. */
export function findFillableSize(
  { budget }: Pick<PricedOrder, "budget">,
  estimate: Estimate,
): bigint {
  if (budget.kind === "shares") return estimate.filled;
  // Amounts are whole cents. Rounding up still fills with the available shares.
  return divide(estimate.amount, CENT, "up") * CENT;
}

function findLimitWarnings({ action, limit }: PricedOrder, estimate: Estimate): TicketWarning[] {
  const { best, filled, average } = estimate;
  if (best === null) return [];
  const distance = price(action === "BUY" ? limit - best : best - limit);
  const warnings: TicketWarning[] = [];
  if (distance > FAR) warnings.push({ kind: "far_limit", action, distance });
  if (average !== null) warnings.push({ kind: "fills_now", shares: filled, average });
  return warnings;
}
