import { computeTakerFee } from "@/lib/domain/fees";
import type { Refusal } from "@/lib/domain/funding";
import type { Book } from "@/lib/domain/matching";
import {
  isRefusal,
  type SizedOrder,
  toSizing,
  type Terms,
  computeTerms,
  type MarketTerms,
  computeTotals,
} from "@/lib/domain/order-terms";
import { toBookPrice } from "@/lib/domain/settlement";
import { NO_SHARES, NO_USDC, type Price, type Shares, subtract, sum, type Usdc } from "@/lib/units";

/** The estimated execution of an order, in prices of its own token. */
interface Estimate {
  filledShares: Shares;
  notional: Usdc;
  fee: Usdc;
  worstFillPrice: Price | null;
  limit: Price | null;
  restingShares: Shares;
  hold: bigint;
  refusal: Refusal | null;
}

const NOTHING: Omit<Estimate, "refusal"> = {
  filledShares: NO_SHARES,
  notional: NO_USDC,
  fee: NO_USDC,
  worstFillPrice: null,
  limit: null,
  restingShares: NO_SHARES,
  hold: 0n,
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
  const terms = computeTerms(toSizing(order), market, book);
  if (isRefusal(terms)) return { ...NOTHING, refusal: terms };
  const { intent, outcome } = order;
  const { filled, paid, worst } = computeTotals(terms.result, outcome);
  return {
    filledShares: filled,
    notional: paid,
    fee: computeFee(terms, order, market),
    worstFillPrice: worst,
    limit: terms.limit,
    restingShares: intent.type === "limit" ? subtract(intent.shares, filled) : NO_SHARES,
    hold: venue.holdsFeeForRest ? terms.worstHold : terms.hold,
    refusal: null,
  };
}

function computeFee({ result }: Terms, { outcome }: SizedOrder, { feeRate }: MarketTerms): Usdc {
  return sum(
    result.matches.map(({ size, price }) =>
      computeTakerFee(size, toBookPrice(outcome, price), feeRate),
    ),
  );
}
