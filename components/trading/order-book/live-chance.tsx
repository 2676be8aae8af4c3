"use client";

import { formatProbability } from "@/components/format/numbers";
import { useBookState, useLiveMarket } from "@/components/trading/order-book/live-market";

/** The live chance of the page's outcome. */
export function LiveChance() {
  const { live } = useBookState(useLiveMarket());
  const best = [live.book.bids[0], live.book.asks[0]];
  const isWide = best[0] && best[1] && best[1].price - best[0].price > WIDE;
  return (
    <span className="num" title={isWide ? LAST_TRADE : MIDDLE}>
      {formatProbability(live.mark)}
    </span>
  );
}

const WIDE = 0.1;
const LAST_TRADE = "Wide spread: showing the last trade";
const MIDDLE = "Midpoint of the best bid and offer";
