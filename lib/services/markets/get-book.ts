import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import {
  type Book,
  type BookSide,
  makerPrice,
  makerSize,
  oppositeSide,
  queue,
} from "@/lib/domain/matching";
import { bookPriceOf, type OutcomeIndex } from "@/lib/domain/settlement";
import type { OrderBook } from "@/lib/schemas/markets";
import { outcomeOf, requireMarket } from "@/lib/services/markets/market-view";
import { add, formatMicro, NO_SHARES, type Price, type Shares } from "@/lib/units";
import { venueOf } from "@/lib/venue";

/** The order book of one outcome: users' orders and the house's quotes, added up by price. */
export async function getBook(
  principal: Principal,
  idOrSlug: string,
  tokenId: string | undefined,
): Promise<z.output<typeof OrderBook>> {
  const venue = venueOf(principal.mode);
  const market = await requireMarket(venue, idOrSlug);
  const outcome = outcomeOf(market, tokenId);
  const book = await venue.getBook(market);
  return {
    marketId: market.id,
    tokenId: market.outcomes[outcome].tokenId,
    bids: levels(book, outcome, "bid"),
    asks: levels(book, outcome, "ask"),
    tickSize: formatMicro(market.tick),
    at: new Date(venue.now()),
  };
}

/** Best first. A bid for the second token stands in the book as an ask, and the reverse. */
function levels(
  book: Book,
  outcome: OutcomeIndex,
  side: BookSide,
): { price: Price; shares: Shares }[] {
  const sizes = new Map<Price, Shares>();
  for (const maker of queue(book, outcome === 0 ? side : oppositeSide(side))) {
    const at = bookPriceOf(outcome, makerPrice(maker));
    sizes.set(at, add(sizes.get(at) ?? NO_SHARES, makerSize(maker)));
  }
  return [...sizes].map(([price, shares]) => ({ price, shares }));
}
