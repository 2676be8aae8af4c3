import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectLastPrice } from "@/lib/db/queries/trades";
import { toBookPrice, type OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import type { LiveBook, LiveMarket } from "@/lib/schemas/market-pages";
import { getBook } from "@/lib/markets/get-book";
import { listTrades } from "@/lib/markets/list-trades";
import { requireOutcome, requireMarket } from "@/lib/markets/market-view";
import { getVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

/** Reads the live data of a market's page: the book of one outcome, and the last trades. */
export async function readLiveMarket(
  principal: Principal,
  idOrSlug: string,
  tokenId: string | undefined,
): Promise<z.output<typeof LiveMarket>> {
  const market = await requireMarket(getVenue(principal.mode), idOrSlug);
  return readLive(principal, market, requireOutcome(market, tokenId));
}

export async function readLive(
  principal: Principal,
  market: Market,
  outcome: OutcomeIndex,
): Promise<z.output<typeof LiveMarket>> {
  const [live, trades] = await Promise.all([
    readLiveBook(principal, market, outcome),
    listTrades(principal, market),
  ]);
  return { live, trades };
}

async function readLiveBook(
  principal: Principal,
  market: Market,
  outcome: OutcomeIndex,
): Promise<z.output<typeof LiveBook>> {
  const venue = getVenue(principal.mode);
  // A stream passes the market as it was when the stream began. It can have closed since.
  const current = await requireMarket(venue, market.id);
  const [book, quotes, last] = await Promise.all([
    getBook(principal, market.id, market.outcomes[outcome].tokenId),
    venue.getQuotes([current]),
    selectLastPrice(await getDb(), market.id),
  ]);
  const quote = quotes.get(market.id);
  assert(quote, "every market is quoted");
  return {
    book,
    status: venue.getState(current).status,
    mark: toBookPrice(outcome, quote.mark),
    lastPrice: last === null ? null : toBookPrice(outcome, last),
  };
}
