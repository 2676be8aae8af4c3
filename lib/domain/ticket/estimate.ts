import { type BuilderFees, computeBuilderFee, computeTakerFee } from "@/lib/domain/fees";
import {
  bestPrice,
  type Budget,
  type HouseLevel,
  match,
  oppositeSide,
} from "@/lib/domain/matching";
import type { Action } from "@/lib/domain/settlement";
import {
  findBestAsk,
  findBestBid,
  type OutcomeBook,
  OWNER,
  type OwnOrder,
} from "@/lib/domain/ticket/book";
import { ceilToGrid, floorToGrid } from "@/lib/domain/tick-grid";
import {
  averagePrice,
  NO_USDC,
  notional,
  type Price,
  price,
  type Shares,
  sum,
  type Usdc,
} from "@/lib/units";

/** The immediate fills of an order on the current book. */
export interface Estimate {
  /** The best price of other users on the opposite side. */
  best: Price | null;
  /** The same with the account's own orders. The exchange checks and reserves against this price. */
  first: Price | null;
  /** The account's own orders that the order cancels. */
  canceled: readonly OwnOrder[];
  filled: Shares;
  /** Paid or received for the fills, without the fee. */
  amount: Usdc;
  /** With the builder's fee. */
  fee: Usdc;
  /** The builder's part of the fee; null without a builder code. */
  builderFee: Usdc | null;
  average: Price | null;
  /** How much worse the average price is than the best price. */
  impact: Price;
  left: Budget;
  /** Whether the budget is used up. */
  isComplete: boolean;
}

export interface EstimateRequest {
  action: Action;
  /** The worst price that can fill. */
  limit: Price;
  budget: Budget;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
  builderFees?: BuilderFees | undefined;
}

const NO_IMPACT = price(0n);

/** Estimates an order's fills with the exchange's own matching. */
export function estimateFills(book: OutcomeBook, request: EstimateRequest): Estimate {
  const { action, limit, budget, feeRate, builderFees } = request;
  const side = action === "BUY" ? "bid" : "ask";
  const house = toHouseLevels(book, action);
  const { own = [] } = book;
  const result = match({ orders: own, house }, { ownerId: OWNER, side, limit, budget });
  const filled = sum(result.matches.map(({ size }) => size));
  const amount = sum(result.matches.map(({ size, price: at }) => notional(size, at, "down")));
  const best = findBest(book, action);
  const fees = result.matches.map(({ size, price: at }) => computeTakerFee(size, at, feeRate));
  const builderFee = builderFees ? computeBuilderFee(amount, builderFees.takerBps, "up") : null;
  const average = filled === 0n ? null : averagePrice(amount, filled);
  return {
    best,
    first: bestPrice({ orders: own, house }, oppositeSide(side)),
    canceled: own.filter((order) => result.selfCrossed.includes(order)),
    filled,
    amount,
    fee: sum([...fees, builderFee ?? NO_USDC]),
    builderFee,
    average,
    impact: best === null || average === null ? NO_IMPACT : computeImpact(best, average),
    left: result.left,
    isComplete: result.isComplete,
  };
}

/** Returns the best price for an action: the lowest ask for a buy, the highest bid for a sell. */
export function findBest(book: OutcomeBook, action: Action): Price | null {
  return action === "BUY" ? findBestAsk(book) : findBestBid(book);
}

/** Returns a market order's worst price: the best price plus the protection, on the grid. */
export function computeWorstPrice(
  action: Action,
  best: Price,
  { protection, tick }: { protection: Price; tick: Price },
): Price {
  return action === "BUY"
    ? floorToGrid(best + protection, tick)
    : ceilToGrid(best - protection, tick);
}

function toHouseLevels(book: OutcomeBook, action: Action): HouseLevel[] {
  const [side, levels] =
    action === "BUY" ? (["ask", book.asks] as const) : (["bid", book.bids] as const);
  return levels.map((level) => ({ side, price: level.price, size: level.shares }));
}

function computeImpact(best: Price, average: Price): Price {
  return price(average > best ? average - best : best - average);
}
