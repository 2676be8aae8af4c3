import "server-only";
import { getDb } from "@/lib/db/client";
import { takerFee } from "@/lib/domain/fees";
import { bookPriceOf } from "@/lib/domain/settlement";
import { NO_SHARES, NO_USDC, type Shares, subtract, sum } from "@/lib/units";
import { readTime } from "@/lib/venue/paper/clock";
import { readBook } from "@/lib/venue/paper/store";
import { assertOpen, type PaperSubmission } from "@/lib/venue/paper/submit";
import { isRefusal, sizingOf, type Terms, termsOf, totalsOf } from "@/lib/venue/paper/terms";
import type { OrderEstimate } from "@/lib/venue/port";

/** What `submitPaperOrder` would do with the book as it is now. Nothing is locked or changed. */
export async function estimatePaperOrder(submission: PaperSubmission): Promise<OrderEstimate> {
  const { market, outcome, intent } = submission;
  const time = readTime();
  assertOpen(market, time.market);
  const book = await readBook(await getDb(), market, time.market);
  const terms = termsOf(sizingOf(submission), market, book);
  if (isRefusal(terms)) return { ...NOTHING, refusal: terms };
  const { filled, paid, worst } = totalsOf(terms.result, outcome);
  return {
    filledShares: filled,
    notional: paid,
    fee: feeOf(terms, submission),
    worstFillPrice: worst,
    limit: terms.limit,
    restingShares: intent.type === "limit" ? subtract(intent.shares, filled) : NO_SHARES,
    hold: terms.hold,
    refusal: null,
  };
}

const NOTHING = {
  filledShares: NO_SHARES as Shares,
  notional: NO_USDC,
  fee: NO_USDC,
  worstFillPrice: null,
  limit: null,
  restingShares: NO_SHARES as Shares,
  hold: 0n,
} as const;

function feeOf(terms: Terms, { market, outcome }: PaperSubmission) {
  return sum(
    terms.result.matches.map(({ size, price }) =>
      takerFee(size, bookPriceOf(outcome, price), market.feeRate),
    ),
  );
}
