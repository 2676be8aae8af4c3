import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import {
  type Book,
  BOOK_DEPTH,
  type BookSide,
  getMakerPrice,
  getMakerSize,
  oppositeSide,
  queue,
} from "@/lib/domain/matching";
import { toBookPrice, type OutcomeIndex } from "@/lib/domain/settlement";
import type { OrderBook } from "@/lib/schemas/markets";
import { requireOutcome, requireMarket } from "@/lib/markets/market-view";
import { add, formatMicro, NO_SHARES, type Price, type Shares } from "@/lib/units";
import { getVenue } from "@/lib/venues";

/**
 * Returns the order book of one outcome: users' orders and the house's quotes, summed by price, with
 * the best `BOOK_DEPTH` levels of each side.
 */
export async function getBook(
  principal: Principal,
  idOrSlug: string,
  tokenId: string | undefined,
): Promise<z.output<typeof OrderBook>> {
  const venue = getVenue(principal.mode);
  const market = await requireMarket(venue, idOrSlug);
  const outcome = requireOutcome(market, tokenId);
  const book = await venue.getBook(market);
  return {
    marketId: market.id,
    tokenId: market.outcomes[outcome].tokenId,
    bids: listLevels(book, outcome, "bid"),
    asks: listLevels(book, outcome, "ask"),
    tickSize: formatMicro(market.tick),
    at: new Date(venue.now()),
  };
}

/** Returns the levels of a side, best first. The book stores a bid for the second token as an ask. */
function listLevels(
  book: Book,
  outcome: OutcomeIndex,
  side: BookSide,
): { price: Price; shares: Shares }[] {
  const sizes = new Map<Price, Shares>();
  for (const maker of queue(book, outcome === 0 ? side : oppositeSide(side))) {
    const at = toBookPrice(outcome, getMakerPrice(maker));
    sizes.set(at, add(sizes.get(at) ?? NO_SHARES, getMakerSize(maker)));
  }
  return [...sizes].slice(0, BOOK_DEPTH).map(([price, shares]) => ({ price, shares }));
}
