import { takerFee } from "@/lib/domain/fees";
import { type Budget, type HouseLevel, match } from "@/lib/domain/matching";
import type { Action } from "@/lib/domain/settlement";
import { bestAsk, bestBid, type OutcomeBook } from "@/lib/domain/ticket/book";
import { ceilToGrid, floorToGrid } from "@/lib/domain/tick-grid";
import {
  averagePrice,
  notional,
  type Price,
  price,
  type Shares,
  sum,
  type Usdc,
} from "@/lib/units";

/** What the book, as it is now, gives an order at once. */
export interface Estimate {
  /** The best price on the side that it takes from. */
  best: Price | null;
  filled: Shares;
  /** Paid or received for the fills, without the fee. */
  amount: Usdc;
  fee: Usdc;
  average: Price | null;
  /** How much worse the average is than the best price. */
  impact: Price;
  left: Budget;
  /** Whether the budget is used up. */
  isComplete: boolean;
}

export interface EstimateRequest {
  action: Action;
  /** The worst price that may fill. */
  limit: Price;
  budget: Budget;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
}

const CENT = 10_000n;
const NO_IMPACT = price(0n);

/** Walks the book with the exchange's own matching, so that it says what the exchange will do. */
export function estimateFills(book: OutcomeBook, request: EstimateRequest): Estimate {
  const { action, limit, budget, feeRate } = request;
  const side = action === "BUY" ? "bid" : "ask";
  const result = match(
    { orders: [], house: takenFrom(book, action) },
    { ownerId: "", side, limit, budget },
  );
  const filled = sum(result.matches.map(({ size }) => size));
  const amount = sum(result.matches.map(({ size, price: at }) => notional(size, at, "down")));
  const best = bestFor(book, action);
  const average = filled === 0n ? null : averagePrice(amount, filled);
  return {
    best,
    filled,
    amount,
    fee: sum(result.matches.map(({ size, price: at }) => takerFee(size, at, feeRate))),
    average,
    impact: best === null || average === null ? NO_IMPACT : away(best, average),
    left: result.left,
    isComplete: result.isComplete,
  };
}

/** The best price that an action meets: the lowest offer for a buy, the highest bid for a sell. */
export function bestFor(book: OutcomeBook, action: Action): Price | null {
  return action === "BUY" ? bestAsk(book) : bestBid(book);
}

/** The worst price a market order takes: the best, and the protection from it, on the grid. */
export function worstPrice(
  action: Action,
  best: Price,
  { protection, tick }: { protection: Price; tick: Price },
): Price {
  return action === "BUY"
    ? floorToGrid(best + protection, tick)
    : ceilToGrid(best - protection, tick);
}

/** Whether a user must be told of an impact, or be asked about it (design reference 6.4). */
export function impactLevel(impact: Price, best: Price): "none" | "notice" | "confirm" {
  const isPercent = (percent: bigint) => impact * 100n >= best * percent;
  if (impact >= 5n * CENT || (isPercent(10n) && impact >= CENT)) return "confirm";
  return impact >= CENT || isPercent(3n) ? "notice" : "none";
}

/**
 * Whether the average has moved against the user by more than one cent or two percent since it was
 * shown, so that it must be shown again.
 */
export function hasMovedAgainst(action: Action, shown: Price, current: Price): boolean {
  const worse = action === "BUY" ? current - shown : shown - current;
  return worse > CENT || worse * 100n > shown * 2n;
}

function takenFrom(book: OutcomeBook, action: Action): HouseLevel[] {
  const [side, levels] =
    action === "BUY" ? (["ask", book.asks] as const) : (["bid", book.bids] as const);
  return levels.map((level) => ({ side, price: level.price, size: level.shares }));
}

function away(best: Price, average: Price): Price {
  return price(average > best ? average - best : best - average);
}
