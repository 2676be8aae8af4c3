import { takerFee } from "@/lib/domain/fees";
import type { Refusal } from "@/lib/domain/funding";
import type { Book } from "@/lib/domain/matching";
import {
  isRefusal,
  type SizedOrder,
  sizingOf,
  type Terms,
  termsOf,
  type TermsOfMarket,
  totalsOf,
} from "@/lib/domain/order-terms";
import { bookPriceOf } from "@/lib/domain/settlement";
import { NO_SHARES, NO_USDC, type Price, type Shares, subtract, sum, type Usdc } from "@/lib/units";

/** What an order would do to a book, in its own token's prices. */
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

/** Works out what an order would do to a book, or why it would be refused whoever places it. */
export function estimateOn(order: SizedOrder, market: TermsOfMarket, book: Book): Estimate {
  const terms = termsOf(sizingOf(order), market, book);
  if (isRefusal(terms)) return { ...NOTHING, refusal: terms };
  const { intent, outcome } = order;
  const { filled, paid, worst } = totalsOf(terms.result, outcome);
  return {
    filledShares: filled,
    notional: paid,
    fee: feeOf(terms, order, market),
    worstFillPrice: worst,
    limit: terms.limit,
    restingShares: intent.type === "limit" ? subtract(intent.shares, filled) : NO_SHARES,
    hold: terms.hold,
    refusal: null,
  };
}

function feeOf({ result }: Terms, { outcome }: SizedOrder, { feeRate }: TermsOfMarket): Usdc {
  return sum(
    result.matches.map(({ size, price }) => takerFee(size, bookPriceOf(outcome, price), feeRate)),
  );
}
