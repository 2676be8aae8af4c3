import { computeBuilderFee, computeTakerFee } from "@/lib/domain/fees";
import type { Refusal } from "@/lib/domain/funding";
import { bestPrice, type Book, type RestingOrder } from "@/lib/domain/matching";
import {
  computeLaterHold,
  isRefusal,
  type SizedOrder,
  toSizing,
  type Terms,
  computeTerms,
  type MarketTerms,
  computeTotals,
} from "@/lib/domain/order-terms";
import { type OutcomeIndex, toBookPrice } from "@/lib/domain/settlement";
import {
  add,
  NO_SHARES,
  NO_USDC,
  type Price,
  price,
  type Shares,
  subtract,
  sum,
  type Usdc,
} from "@/lib/units";

/** The estimated execution of an order, in prices of its own token. */
interface Estimate {
  filledShares: Shares;
  notional: Usdc;
  /** With the builder's fee. */
  fee: Usdc;
  /** The builder's part of the fee; null without a builder code. */
  builderFee: Usdc | null;
  worstFillPrice: Price | null;
  limit: Price | null;
  mid: Price | null;
  restingShares: Shares;
  hold: bigint;
  laterHold: bigint;
  refusal: Refusal | null;
}

const NOTHING: Omit<Estimate, "refusal" | "mid"> = {
  filledShares: NO_SHARES,
  notional: NO_USDC,
  fee: NO_USDC,
  builderFee: null,
  worstFillPrice: null,
  limit: null,
  restingShares: NO_SHARES,
  hold: 0n,
  laterHold: 0n,
};

/**
 * Estimates the execution of an order against a book, or returns the refusal, independent of the
 * account's funds.
 *
 * @param venue.holdsFeeForRest whether the venue also reserves the fee of the resting part.
 */
export function computeEstimate(
  order: SizedOrder,
  market: MarketTerms,
  book: Book,
  venue = { holdsFeeForRest: false },
): Estimate {
  const sizing = toSizing(order);
  const terms = computeTerms(sizing, market, book);
  const mid = findMid(book, order.outcome);
  if (isRefusal(terms)) return { ...NOTHING, mid, refusal: terms };
  const { intent, outcome } = order;
  const { filled, paid, worst } = computeTotals(terms.result, outcome);
  const { feeRate, builderFees } = market;
  const builderFee = builderFees ? computeBuilderFee(paid, builderFees.takerBps, "up") : null;
  return {
    filledShares: filled,
    notional: paid,
    fee: add(computeFee(terms, order, market), builderFee ?? NO_USDC),
    builderFee,
    worstFillPrice: worst,
    limit: terms.limit,
    mid,
    restingShares: intent.type === "limit" ? subtract(intent.shares, filled) : NO_SHARES,
    hold: venue.holdsFeeForRest ? terms.worstHold : terms.hold,
    laterHold: computeLaterHold({ ...sizing, limit: terms.limit }, feeRate, builderFees),
    refusal: null,
  };
}

/**
 * Separates an owner's orders from the levels of a displayed book. Levels and orders can be read at different
 * times, so an order can be missing in its level.
 */
export function separateOrders(book: Book, orders: readonly RestingOrder[]): Book {
  const house = book.house.map((level) => {
    const there = orders.filter((one) => one.side === level.side && one.price === level.price);
    return { ...level, size: subtract(level.size, sum(there.map(({ remaining }) => remaining))) };
  });
  return { orders: [...book.orders, ...orders], house: house.filter(({ size }) => size > 0n) };
}

/** Returns the middle of a book in prices of an outcome; null if a side is empty. */
export function findMid(book: Book, outcome: OutcomeIndex): Price | null {
  const [bid, ask] = [bestPrice(book, "bid"), bestPrice(book, "ask")];
  return bid === null || ask === null ? null : toBookPrice(outcome, price((bid + ask) / 2n));
}

function computeFee({ result }: Terms, { outcome }: SizedOrder, { feeRate }: MarketTerms): Usdc {
  return sum(
    result.matches.map(({ size, price: at }) =>
      computeTakerFee(size, toBookPrice(outcome, at), feeRate),
    ),
  );
}
