import { worstTakerFee, worstTakerFeeOfAmount } from "@/lib/domain/fees";
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
import type { OrderIntent } from "@/lib/domain/order-intent";
import { type Action, bookPriceOf, bookSideOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { ceilToGrid, floorToGrid } from "@/lib/domain/tick-grid";
import { formatMicro, formatUsdc, notional, type Price, type Shares, type Usdc } from "@/lib/units";

/** How far from the best price a market order without a price may fill. */
const DEFAULT_PRICE_PROTECTION = 50_000n;

/** What an order will and may do against a book. */
export interface Terms {
  taker: Taker;
  /** The limit in the order's own token's prices. */
  limit: Price;
  result: MatchResult;
  /** The most it may cost: USDC with the worst fee for a BUY, shares for a SELL. */
  hold: bigint;
}

/** An order's size and limits, whether it is new or was delayed. */
export interface Sizing {
  type: "limit" | "market";
  action: Action;
  outcome: OutcomeIndex;
  /** Limit or worst price in own prices; null leaves it to the exchange. */
  price: Price | null;
  budget: Budget;
  ownerId: string;
  isFillOrKill: boolean;
  isPostOnly: boolean;
}

/** What of an order decides its size and limits. */
export interface SizedOrder {
  intent: OrderIntent;
  outcome: OutcomeIndex;
  conditions: { isFillOrKill: boolean; isPostOnly: boolean };
  userId: string;
}

/** What of a market decides the terms of an order. */
export interface TermsOfMarket {
  tick: Price;
  minBuyAmount: Usdc;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
}

export function sizingOf(submission: SizedOrder): Sizing {
  const { intent, outcome, conditions, userId } = submission;
  const { isFillOrKill, isPostOnly } = conditions;
  const price = intent.type === "limit" ? intent.price : intent.worstPrice;
  const budget: Budget =
    intent.shares === null
      ? { kind: "amount", amount: intent.amount }
      : { kind: "shares", shares: intent.shares };
  const { type, action } = intent;
  return { type, action, outcome, price, budget, ownerId: userId, isFillOrKill, isPostOnly };
}

/** Works out what an order would do, or why the exchange refuses it whatever the account holds. */
export function termsOf(sizing: Sizing, market: TermsOfMarket, book: Book): Terms | Refusal {
  const { action, outcome } = sizing;
  const side = bookSideOf(action, outcome);
  const best = bestPrice(book, oppositeSide(side));
  const bestOwn = best === null ? null : bookPriceOf(outcome, best);
  const limit = sizing.price ?? protectedPrice(action, bestOwn, market.tick);
  if (limit === null) return noLiquidity(action, null);
  const bookLimit = bookPriceOf(outcome, limit);
  const taker: Taker = { ownerId: sizing.ownerId, side, limit: bookLimit, budget: sizing.budget };
  const result = match(book, taker);
  if (sizing.type === "market" && result.matches.length === 0) return noLiquidity(action, limit);
  const isMarketable = best !== null && crosses(side, bookLimit, best);
  const refusal =
    (isMarketable ? refuseTaking(sizing, limit, market.minBuyAmount) : null) ??
    (sizing.isFillOrKill && !result.isComplete ? NOT_IN_FULL : null);
  return refusal ?? { taker, limit, result, hold: holdOf(sizing, limit, bestOwn, market.feeRate) };
}

export function isRefusal(outcome: Terms | Refusal): outcome is Refusal {
  return "code" in outcome;
}

/** The most an order may need. An amount buys most shares, and pays most fee, at the best price. */
export function holdOf(
  sizing: Sizing,
  limit: Price,
  bestOwn: Price | null,
  feeRate: bigint,
): bigint {
  const { action, budget } = sizing;
  if (budget.kind === "amount") {
    return budget.amount + worstTakerFeeOfAmount(budget.amount, bestOwn ?? limit, feeRate);
  }
  if (action === "SELL") return budget.shares;
  return notional(budget.shares, limit, "up") + worstTakerFee(budget.shares, limit, feeRate);
}

function protectedPrice(action: Action, bestOwn: Price | null, tick: Price): Price | null {
  if (bestOwn === null) return null;
  return action === "BUY"
    ? floorToGrid(bestOwn + DEFAULT_PRICE_PROTECTION, tick)
    : ceilToGrid(bestOwn - DEFAULT_PRICE_PROTECTION, tick);
}

const NOT_IN_FULL: Refusal = {
  code: "ORDER_NOT_FILLED",
  message: "the book cannot fill this order in full right now, so nothing of it was filled",
};

const WOULD_TAKE: Refusal = {
  code: "ORDER_REJECTED",
  message: "a post-only order may only rest, and this one would trade at once",
};

/** Why an order that would trade at once may not. */
function refuseTaking(sizing: Sizing, limit: Price, minimum: Usdc): Refusal | null {
  return sizing.isPostOnly ? WOULD_TAKE : refuseSmallBuy(sizing, limit, minimum);
}

function refuseSmallBuy(sizing: Sizing, limit: Price, minimum: Usdc): Refusal | null {
  if (sizing.action !== "BUY" || sizing.budget.kind !== "shares") return null;
  const worth = notional(sizing.budget.shares, limit, "up");
  if (worth >= minimum) return null;
  return {
    code: "ORDER_TOO_SMALL",
    message: `a buy that fills at once needs at least ${formatUsdc(minimum)} USDC, this one is ${formatUsdc(worth)}`,
  };
}

/** Why an order that may not rest is refused when nobody trades at its limit. */
export function noLiquidity(action: Action, limit: Price | null): Refusal {
  const who = action === "BUY" ? "selling" : "buying";
  const where = limit === null ? "" : ` at ${formatMicro(limit)} or better`;
  return { code: "NO_LIQUIDITY", message: `nobody is ${who}${where} right now; use a limit order` };
}

/** Shares a result fills, and what they come to in own prices. */
export function totalsOf(
  result: MatchResult,
  outcome: OutcomeIndex,
): { filled: Shares; paid: Usdc; worst: Price | null } {
  let filled = 0n;
  let paid = 0n;
  let worst: Price | null = null;
  for (const { price, size } of result.matches) {
    const own = bookPriceOf(outcome, price);
    filled += size;
    paid += notional(size, own, outcome === 0 ? "down" : "up");
    worst = own;
  }
  return { filled: filled as Shares, paid: paid as Usdc, worst };
}
