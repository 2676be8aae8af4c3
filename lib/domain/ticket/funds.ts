import { computeHold, computeWorstHold } from "@/lib/domain/order-terms";
import type {
  TicketContext,
  TicketFunds,
  TicketOrder,
  TicketRules,
} from "@/lib/domain/ticket/context";
import { type Estimate, estimateFills } from "@/lib/domain/ticket/estimate";
import type { TicketIssue } from "@/lib/domain/ticket/issues";
import { findFillableSize } from "@/lib/domain/ticket/warnings";
import { computePart, findHighest, SIZE_STEP } from "@/lib/domain/ticket/sizes";
import { formatMicro, NO_SHARES, NO_USDC, SCALE, shares, usdc, type Usdc } from "@/lib/units";

/** Returns the issues of an order that the account can't pay for: cash for a buy, shares for a sell. */
export function refuseForFunds(
  order: TicketOrder,
  estimate: Estimate | null,
  context: Pick<TicketContext, "book" | "rules" | "funds">,
): TicketIssue[] {
  const { funds, ...others } = context;
  if (funds === null) return [];
  return order.action === "SELL"
    ? refuseSell(order, funds)
    : refuseBuy(order, estimate, { ...others, funds });
}

/** Returns the USDC that a buy reserves at its venue. Without a book, nothing fills immediately. */
export function computeNeed(
  order: Omit<TicketOrder, "options">,
  estimate: Pick<Estimate, "first" | "filled" | "amount"> | null,
  { feeRate, builderFees, holdsFeeForRest }: TicketRules,
): Usdc {
  const lowest = estimate?.first ?? order.limit;
  if (holdsFeeForRest) return usdc(computeWorstHold(order, lowest, feeRate, builderFees));
  const { filled, amount } = estimate ?? { filled: NO_SHARES, amount: NO_USDC };
  return usdc(computeHold(order, { shares: filled, amount, lowest }, feeRate, builderFees));
}

type BuyingContext = Pick<TicketContext, "book" | "rules"> & { funds: TicketFunds };

/** The largest order, in micro-USDC or micro-shares. */
export interface LargestOrder {
  size: bigint;
  /** Whether the cash covers more than what can fill within the worst price. */
  isAllThatFills: boolean;
}

/** Finds the largest buy that the available cash covers. A market buy is at most what can fill. */
export function findLargestBuy(
  { type, limit }: Pick<TicketOrder, "type" | "limit">,
  budgetKind: TicketOrder["budget"]["kind"],
  { book, funds, rules }: BuyingContext,
): LargestOrder {
  const isAmount = budgetKind === "amount";
  const estimate = (at: bigint) => {
    const budget = isAmount
      ? ({ kind: "amount", amount: usdc(at) } as const)
      : ({ kind: "shares", shares: shares(at) } as const);
    const order = { action: "BUY", type, limit, budget } as const;
    const { feeRate, builderFees } = rules;
    const fills = book && estimateFills(book, { ...order, feeRate, builderFees });
    return { order, fills };
  };
  const affordable = findHighest(funds.available, {
    step: SIZE_STEP,
    unitCost: isAmount ? SCALE : limit,
    need: (at) => {
      const { order, fills } = estimate(at);
      return computeNeed(order, fills, rules);
    },
  });
  const { order, fills } = estimate(affordable);
  return type === "market" && fills && !fills.isComplete
    ? { size: findFillableSize(order, fills), isAllThatFills: true }
    : { size: affordable, isAllThatFills: false };
}

function refuseBuy(
  order: TicketOrder,
  estimate: Estimate | null,
  context: BuyingContext,
): TicketIssue[] {
  const { funds, rules } = context;
  const field = order.budget.kind;
  const needed = computeNeed(order, estimate, rules);
  if (needed > funds.available) {
    const { available } = funds;
    const text = formatMicro(findLargestBuy(order, field, context).size);
    return [{ kind: "cash_short", field, available, needed, fix: { field, text } }];
  }
  const isUnapproved = funds.approved !== null && funds.approved < needed;
  return isUnapproved ? [{ kind: "allowance_short", field: null }] : [];
}

function refuseSell({ budget }: TicketOrder, { free, reserved }: TicketFunds): TicketIssue[] {
  if (budget.kind !== "shares" || budget.shares <= free) return [];
  const fix = { field: "shares", text: formatMicro(computePart(free, 100n)) } as const;
  return [{ kind: "shares_short", field: "shares", free, reserved, fix }];
}
