import "server-only";
import type { Principal } from "@/lib/auth/principal";
import type { Quote } from "@/lib/domain/mark-price";
import { type Action, type OutcomeIndex, toBookPrice } from "@/lib/domain/settlement";
import { readOptional } from "@/lib/optional-read";
import type { Price } from "@/lib/units";
import { getVenue } from "@/lib/venues";

type FindPrice = (order: {
  marketId: string;
  outcome: OutcomeIndex;
  action: Action;
}) => Price | null;

/**
 * Reads the quotes of several markets at once. Returns a function that finds the price at which an order
 * would fill now: the best ask for a buy, the best bid for a sell. Without a quote, it returns null.
 */
export async function readMarketPrices(
  { mode }: Principal,
  marketIds: readonly string[],
): Promise<FindPrice> {
  const ids = [...new Set(marketIds)];
  const quotes = await readOptional<ReadonlyMap<string, Quote>>(
    "prices of open orders not read",
    new Map(),
    async () => (ids.length === 0 ? new Map() : loadQuotes(mode, ids)),
  );
  return ({ marketId, outcome, action }) => {
    const quote = quotes.get(marketId);
    if (!quote) return null;
    const { bid, ask } = quote;
    // A buy of the second outcome fills against bids for the first.
    const best = (action === "BUY") === (outcome === 0) ? ask : bid;
    return best === null ? null : toBookPrice(outcome, best);
  };
}

async function loadQuotes(
  mode: Principal["mode"],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Quote>> {
  const venue = getVenue(mode);
  const markets = [...(await venue.getMarkets(ids)).values()];
  return venue.getQuotes(markets.filter((market) => venue.getState(market).status === "open"));
}
