import {
  type BuilderFees,
  computeMaxBuilderFee,
  computeMaxTakerFee,
  computeMaxTakerFeeOfAmount,
  NO_BUILDER_FEES,
} from "@/lib/domain/fees";
import {
  bestPrice,
  type Book,
  type Budget,
  crosses,
  match,
  type MatchResult,
  oppositeSide,
  type Taker,
} from "@/lib/domain/matching";
import type { Refusal } from "@/lib/domain/funding";
import { type OrderIntent, refuseTooManyShares } from "@/lib/domain/order-intent";
import { refuseSmallBuy } from "@/lib/domain/order-minimum";
import { type Action, toBookPrice, toBookSide, type OutcomeIndex } from "@/lib/domain/settlement";
import { ceilToGrid, floorToGrid } from "@/lib/domain/tick-grid";
import {
  formatCents,
  NO_SHARES,
  NO_USDC,
  notional,
  type Price,
  price,
  type Shares,
  type Usdc,
} from "@/lib/units";

/** Maximum distance from the best price for the fills of a market order without a worst price. */
export const DEFAULT_PRICE_PROTECTION = 50_000n;

/** The execution of an order against a book, and what the order holds. */
export interface Terms {
  taker: Taker;
  /** The limit in prices of the order's own token. */
  limit: Price;
  result: MatchResult;
  /** The cost plus the fee of the part that trades immediately; the shares of a SELL. */
  hold: bigint;
  /** The hold with the maximum fee on the whole order. */
  worstHold: bigint;
}

/** The size and limits of an order, new or stored. */
export interface Sizing {
  type: "limit" | "market";
  action: Action;
  outcome: OutcomeIndex;
  /** Limit or worst price in prices of the own token; null for the best price plus protection. */
  price: Price | null;
  budget: Budget;
  ownerId: string;
  isFillOrKill: boolean;
  isPostOnly: boolean;
}

/** The fields of an order that determine its size and limits. */
export interface SizedOrder {
  intent: OrderIntent;
  outcome: OutcomeIndex;
  conditions: { isFillOrKill: boolean; isPostOnly: boolean };
  userId: string;
}

/** The fields of a market that determine an order's terms. */
export interface MarketTerms {
  tick: Price;
  minBuyAmount: Usdc;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
  /** The fees of the service's builder code; missing without one. */
  builderFees?: BuilderFees | undefined;
}

export function toSizing(submission: SizedOrder): Sizing {
  const { intent, outcome, conditions, userId } = submission;
  const { isFillOrKill, isPostOnly } = conditions;
  const limit = intent.type === "limit" ? intent.price : intent.worstPrice;
  const budget = toBudget(intent);
  const { type, action } = intent;
  return { type, action, outcome, price: limit, budget, ownerId: userId, isFillOrKill, isPostOnly };
}

/** Returns an order's size: shares, or an amount of USDC to spend. */
export function toBudget(intent: OrderIntent): Budget {
  return intent.shares === null
    ? { kind: "amount", amount: intent.amount }
    : { kind: "shares", shares: intent.shares };
}

/** Computes the execution of an order, or the refusal, independent of the account's funds. */
export function computeTerms(sizing: Sizing, market: MarketTerms, book: Book): Terms | Refusal {
  const { action, outcome } = sizing;
  const side = toBookSide(action, outcome);
  const best = bestPrice(book, oppositeSide(side));
  const bestOwn = best === null ? null : toBookPrice(outcome, best);
  const limit = sizing.price ?? computeProtectedPrice(action, bestOwn, market.tick);
  if (limit === null) return refuseUnfilled(sizing, null);
  const bookLimit = toBookPrice(outcome, limit);
  const taker: Taker = { ownerId: sizing.ownerId, side, limit: bookLimit, budget: sizing.budget };
  const result = match(book, taker);
  if (sizing.type === "market" && result.matches.length === 0) {
    return refuseUnfilled(sizing, limit);
  }
  // `toIntent` has checked a limit of the caller.
  const tooLarge =
    sizing.price === null && action === "BUY" && sizing.budget.kind === "amount"
      ? refuseTooManyShares(sizing.budget.amount, limit)
      : null;
  if (tooLarge) return tooLarge;
  const isMarketable = best !== null && crosses(side, bookLimit, best);
  const refusal =
    (isMarketable ? refuseTaking(sizing, limit, market.minBuyAmount) : null) ??
    (sizing.isFillOrKill && !result.isComplete ? NOT_IN_FULL : null);
  if (refusal) return refusal;
  const { filled, paid } = computeTotals(result, outcome);
  const priced = { action, budget: sizing.budget, limit };
  const lowest = bestOwn ?? limit;
  const taken = { shares: filled, amount: paid, lowest };
  return {
    taker,
    limit,
    result,
    hold: computeHold(priced, taken, market.feeRate, market.builderFees),
    worstHold: computeWorstHold(priced, lowest, market.feeRate, market.builderFees),
  };
}

export function isRefusal(outcome: Terms | Refusal): outcome is Refusal {
  return "code" in outcome;
}

/** An order's size and limit, in its own token's prices. */
interface PricedOrder {
  action: Action;
  budget: Budget;
  limit: Price;
}

/** The part of an order that trades immediately and pays the taker's fee. */
interface TakenPart {
  shares: Shares;
  amount: Usdc;
  /** The lowest possible price. */
  lowest: Price;
}

/**
 * Computes what an order holds. A BUY holds its cost at the limit and the maximum fee of the part that
 * trades immediately; the rest is a maker and pays a builder's fee only. A SELL holds its shares.
 */
export function computeHold(
  { action, budget, limit }: PricedOrder,
  taken: TakenPart,
  feeRate: bigint,
  builderFees: BuilderFees = NO_BUILDER_FEES,
): bigint {
  if (budget.kind === "amount") {
    const fee = computeMaxTakerFeeOfAmount(taken.amount, taken.lowest, feeRate);
    return budget.amount + fee + computeMaxBuilderFee(budget.amount, builderFees);
  }
  if (action === "SELL") return budget.shares;
  const cost = notional(budget.shares, limit, "up");
  const fee = computeMaxTakerFee(taken.shares, limit, feeRate);
  return cost + fee + computeMaxBuilderFee(cost, builderFees);
}

/** Computes the hold of an order that may trade completely as a taker, at `lowest` or above. */
export function computeWorstHold(
  order: PricedOrder,
  lowest: Price,
  feeRate: bigint,
  builderFees?: BuilderFees,
): bigint {
  const { budget } = order;
  const taken = {
    shares: budget.kind === "shares" ? budget.shares : NO_SHARES,
    amount: budget.kind === "amount" ? budget.amount : NO_USDC,
    lowest,
  };
  return computeHold(order, taken, feeRate, builderFees);
}

/** Computes the hold of an order that trades at a later time: all of it may pay a fee, at any price. */
export const computeLaterHold = (
  order: PricedOrder,
  feeRate: bigint,
  builderFees?: BuilderFees,
): bigint => computeWorstHold(order, price(0n), feeRate, builderFees);

function computeProtectedPrice(action: Action, bestOwn: Price | null, tick: Price): Price | null {
  if (bestOwn === null) return null;
  return action === "BUY"
    ? floorToGrid(bestOwn + DEFAULT_PRICE_PROTECTION, tick)
    : ceilToGrid(bestOwn - DEFAULT_PRICE_PROTECTION, tick);
}

const NOT_IN_FULL: Refusal = {
  code: "ORDER_NOT_FILLED",
  message: "The book can't fill this order completely right now. No shares were filled.",
};

const WOULD_TAKE: Refusal = {
  code: "ORDER_REJECTED",
  message: "A post-only order can't fill immediately, and this one would.",
};

/** Returns the refusal of an order that can't rest and would not fill. */
export function refuseUnfilled(
  { action, isFillOrKill }: Pick<Sizing, "action" | "isFillOrKill">,
  limit: Price | null,
): Refusal {
  return isFillOrKill ? NOT_IN_FULL : refuseIlliquid(action, limit);
}

/** Returns the refusal of an order that would fill immediately, if there is a reason. */
function refuseTaking(sizing: Sizing, limit: Price, minimum: Usdc): Refusal | null {
  return sizing.isPostOnly ? WOULD_TAKE : refuseSmallBuy(sizing, limit, minimum);
}

function refuseIlliquid(action: Action, limit: Price | null): Refusal {
  const counterparties = action === "BUY" ? "sellers" : "buyers";
  const bound = limit === null ? "" : ` at ${formatCents(limit)} or better`;
  return {
    code: "NO_LIQUIDITY",
    message: `There are no ${counterparties}${bound} right now. Use a limit order.`,
  };
}

/** Sums the fills of a result: shares, USDC and worst price, in prices of the own token. */
export function computeTotals(
  result: MatchResult,
  outcome: OutcomeIndex,
): { filled: Shares; paid: Usdc; worst: Price | null } {
  let filled = 0n;
  let paid = 0n;
  let worst: Price | null = null;
  for (const { price: at, size } of result.matches) {
    const own = toBookPrice(outcome, at);
    filled += size;
    paid += notional(size, own, outcome === 0 ? "down" : "up");
    worst = own;
  }
  return { filled: filled as Shares, paid: paid as Usdc, worst };
}
