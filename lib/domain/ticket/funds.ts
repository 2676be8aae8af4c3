import type {
  TicketContext,
  TicketFunds,
  TicketOrder,
  TicketRules,
} from "@/lib/domain/ticket/context";
import type { TicketIssue } from "@/lib/domain/ticket/issues";
import {
  maxAmount,
  maxShares,
  needOfAmount,
  needOfShares,
  shareOf,
} from "@/lib/domain/ticket/sizes";
import { formatMicro, type Price, type Usdc } from "@/lib/units";

/** Whether the account cannot pay for an order: cash for a buy, shares for a sell. */
export function refuseForFunds(
  order: TicketOrder,
  best: Price | null,
  { funds, rules }: TicketContext,
): TicketIssue[] {
  if (funds === null) return [];
  return order.action === "SELL"
    ? refuseSell(order, funds)
    : refuseBuy(order, { best, funds, rules });
}

/** The USDC that must be available for a buy. */
export function needOf({ budget, limit }: TicketOrder, best: Price | null, feeRate: bigint): Usdc {
  return budget.kind === "amount"
    ? needOfAmount(budget.amount, best ?? limit, feeRate)
    : needOfShares(budget.shares, limit, feeRate);
}

interface BuyingContext {
  best: Price | null;
  funds: TicketFunds;
  rules: TicketRules;
}

function refuseBuy(order: TicketOrder, { best, funds, rules }: BuyingContext): TicketIssue[] {
  const field = order.budget.kind;
  const needed = needOf(order, best, rules.feeRate);
  if (needed > funds.available) {
    const max =
      order.budget.kind === "amount"
        ? maxAmount(funds.available, best ?? order.limit, rules.feeRate)
        : maxShares(funds.available, order.limit, rules.feeRate);
    const { available } = funds;
    return [
      { kind: "cash_short", field, available, needed, fix: { field, text: formatMicro(max) } },
    ];
  }
  const isUnapproved = funds.approved !== null && funds.approved < needed;
  return isUnapproved ? [{ kind: "allowance_short", field: null }] : [];
}

function refuseSell({ budget }: TicketOrder, { free, reserved }: TicketFunds): TicketIssue[] {
  if (budget.kind !== "shares" || budget.shares <= free) return [];
  const fix = { field: "shares", text: formatMicro(shareOf(free, 100n)) } as const;
  return [{ kind: "shares_short", field: "shares", free, reserved, fix }];
}
