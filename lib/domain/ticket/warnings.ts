import type { TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import { type Estimate, impactLevel } from "@/lib/domain/ticket/estimate";
import type { TicketWarning } from "@/lib/domain/ticket/issues";
import { divide, formatMicro, price } from "@/lib/units";

/** A limit this much worse than the best price is probably a slip of the finger. */
const FAR = 200_000n;
const CENT = 10_000n;

/** What is to be known of an order before it is placed. */
export function warnAbout(
  order: TicketOrder,
  estimate: Estimate,
  funds: TicketFunds | null,
): TicketWarning[] {
  const own =
    order.type === "market" ? marketWarnings(order, estimate) : limitWarnings(order, estimate);
  const isUnknown = order.action === "BUY" && funds !== null && funds.approved === null;
  return isUnknown ? [...own, { kind: "allowance_unknown" }] : own;
}

function marketWarnings(order: TicketOrder, estimate: Estimate): TicketWarning[] {
  const { best, average, impact } = estimate;
  if (best === null || average === null) return [];
  const level = impactLevel(impact, best);
  const { action } = order;
  const moved: TicketWarning[] =
    level === "none"
      ? []
      : [{ kind: "impact", action, average, impact, isSevere: level === "confirm" }];
  return estimate.isComplete ? moved : [...moved, partial(order, estimate)];
}

/** Part of a market order lies beyond its worst price and would be dropped. */
function partial(
  { action, budget, limit }: TicketOrder,
  { filled, amount }: Estimate,
): TicketWarning {
  if (budget.kind === "shares") {
    const fix = { field: "shares", text: formatMicro(filled) } as const;
    return { kind: "partial", action, fillable: filled, wanted: budget.shares, limit, fix };
  }
  // The venue takes whole cents; the next cent up still fills with what there is.
  const cents = divide(amount, CENT, "up") * CENT;
  const fix = { field: "amount", text: formatMicro(cents) } as const;
  return { kind: "partial", action, fillable: amount, wanted: budget.amount, limit, fix };
}

function limitWarnings({ action, limit }: TicketOrder, estimate: Estimate): TicketWarning[] {
  const { best, filled, average } = estimate;
  if (best === null) return [];
  const distance = price(action === "BUY" ? limit - best : best - limit);
  const warnings: TicketWarning[] = [];
  if (distance > FAR) warnings.push({ kind: "far_limit", action, distance });
  if (average !== null) warnings.push({ kind: "fills_now", shares: filled, average });
  return warnings;
}
