import type { TicketContext, TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import { computeNeed } from "@/lib/domain/ticket/funds";
import {
  add,
  larger,
  NO_SHARES,
  notional,
  computePercent,
  type Shares,
  subtract,
  type Usdc,
  usdc,
} from "@/lib/units";

/**
 * The result of an order: of a market order after its immediate fills, of a limit order once it has
 * filled completely at its limit or better. Costs are rounded up, proceeds down.
 */
export interface Projection {
  /** Shares that are traded. */
  shares: Shares;
  /** Shares of a limit order that rest on the book. */
  resting: Shares;
  /** USDC paid for a buy or received for a sell, with the fee. */
  money: Usdc;
  /** If all fills are at the limit: the cost of a buy, which it reserves, or the proceeds of a sell. */
  bound: Usdc;
  /** Payout minus cost of a winning buy, or proceeds minus cost of a sell; null if the cost is unknown. */
  profit: Usdc | null;
  /** Of the cost, in micro-percent. */
  profitPercent: bigint | null;
}

export function project(
  order: TicketOrder,
  estimate: Estimate,
  { funds, rules }: Pick<TicketContext, "funds" | "rules">,
): Projection {
  const rounding = order.action === "BUY" ? "up" : "down";
  const resting = computeResting(order, estimate);
  const shares = add(estimate.filled, resting);
  const rest = notional(resting, order.limit, rounding);
  const value = add(estimate.amount, rest);
  const applyFee = (amount: Usdc) =>
    order.action === "BUY" ? add(amount, estimate.fee) : subtract(amount, estimate.fee);
  const money = applyFee(value);
  const cost = order.action === "BUY" ? money : computeCost(shares, funds);
  const least = applyFee(notional(shares, order.limit, rounding));
  const gain = order.action === "BUY" ? usdc(shares) : money;
  const profit = cost === null ? null : subtract(gain, cost);
  const isRatio = profit !== null && cost !== null && cost > 0n;
  return {
    shares,
    resting,
    money,
    bound: order.action === "BUY" ? computeNeed(order, estimate, rules) : least,
    profit,
    profitPercent: isRatio ? computePercent(profit, cost) : null,
  };
}

/** Returns the free shares after the order. */
export function computeSharesAfter(
  { action }: TicketOrder,
  { shares }: Projection,
  funds: TicketFunds,
): Shares {
  return action === "BUY"
    ? add(funds.free, shares)
    : larger(subtract(funds.free, shares), NO_SHARES);
}

function computeResting({ type, budget }: TicketOrder, { filled }: Estimate): Shares {
  return type === "limit" && budget.kind === "shares" ? subtract(budget.shares, filled) : NO_SHARES;
}

/** Returns the cost of shares at their average entry price; null if that is unknown. */
function computeCost(shares: Shares, funds: TicketFunds | null): Usdc | null {
  return funds?.averageEntry ? notional(shares, funds.averageEntry, "down") : null;
}
