import type { TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import {
  add,
  larger,
  NO_SHARES,
  notional,
  SCALE,
  type Shares,
  subtract,
  type Usdc,
  usdc,
} from "@/lib/units";

/**
 * What an order comes to in the end: a market order as far as it fills now, a limit order once all
 * of it has filled at its limit or better. Costs are rounded up, proceeds down.
 */
export interface Projection {
  /** Shares that change hands. */
  shares: Shares;
  /** Shares of a limit order that wait on the book. */
  resting: Shares;
  /** USDC paid for a buy or received for a sell, with the fee. */
  money: Usdc;
  /** The most a limit buy costs, the least a limit sell brings: all of it at its limit. */
  bound: Usdc;
  /** For a buy what winning pays more than it costs; for a sell what it brings more than it cost. */
  profit: Usdc | null;
  /** Of the cost, in micro-percent. */
  profitPercent: bigint | null;
}

export function project(
  order: TicketOrder,
  estimate: Estimate,
  funds: TicketFunds | null,
): Projection {
  const rounding = order.action === "BUY" ? "up" : "down";
  const resting = restingOf(order, estimate);
  const shares = add(estimate.filled, resting);
  const rest = notional(resting, order.limit, rounding);
  const value = add(estimate.amount, rest);
  const withFee = (of: Usdc) =>
    order.action === "BUY" ? add(of, estimate.fee) : subtract(of, estimate.fee);
  const money = withFee(value);
  const cost = order.action === "BUY" ? money : costOf(shares, funds);
  const gain = order.action === "BUY" ? usdc(shares) : money;
  const profit = cost === null ? null : subtract(gain, cost);
  const isRatio = profit !== null && cost !== null && cost > 0n;
  return {
    shares,
    resting,
    money,
    bound: withFee(notional(shares, order.limit, rounding)),
    profit,
    profitPercent: isRatio ? (profit * 100n * SCALE) / cost : null,
  };
}

/** Free shares after the order. */
export function sharesAfter(
  { action }: TicketOrder,
  { shares }: Projection,
  funds: TicketFunds,
): Shares {
  return action === "BUY"
    ? add(funds.free, shares)
    : larger(subtract(funds.free, shares), NO_SHARES);
}

function restingOf({ type, budget }: TicketOrder, { filled }: Estimate): Shares {
  return type === "limit" && budget.kind === "shares" ? subtract(budget.shares, filled) : NO_SHARES;
}

/** What the sold shares cost, going by their average; null when that is not known. */
function costOf(shares: Shares, funds: TicketFunds | null): Usdc | null {
  return funds?.averageEntry ? notional(shares, funds.averageEntry, "down") : null;
}
