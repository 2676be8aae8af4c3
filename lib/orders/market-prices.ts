import "server-only";
import type { Principal } from "@/lib/auth/principal";
import type { Quote } from "@/lib/domain/mark-price";
import { type Action, type OutcomeIndex, toBookPrice } from "@/lib/domain/settlement";
import { errorFields, log } from "@/lib/log";
import type { Price } from "@/lib/units";
import { getVenue } from "@/lib/venues";

/** A list of orders waits this long for prices, which it can do without. */
const MAX_WAIT_MS = 1_000;

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
  const quotes = ids.length === 0 ? new Map<string, Quote>() : await readQuotes(mode, ids);
  return ({ marketId, outcome, action }) => {
    const quote = quotes.get(marketId);
    if (!quote) return null;
    const { bid, ask } = quote;
    // A buy of the second outcome fills against bids for the first.
    const best = (action === "BUY") === (outcome === 0) ? ask : bid;
    return best === null ? null : toBookPrice(outcome, best);
  };
}

async function readQuotes(
  mode: Principal["mode"],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Quote>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ReadonlyMap<string, Quote>>((resolve) => {
    timer = setTimeout(() => resolve(new Map()), MAX_WAIT_MS);
  });
  const reading = loadQuotes(mode, ids).catch((error: unknown) => {
    log.warn("prices of open orders not read", errorFields(error));
    return new Map<string, Quote>();
  });
  const quotes = await Promise.race([reading, late]);
  clearTimeout(timer);
  return quotes;
}

async function loadQuotes(
  mode: Principal["mode"],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Quote>> {
  const venue = getVenue(mode);
  const markets = [...(await venue.getMarkets(ids)).values()];
  return venue.getQuotes(markets.filter((market) => venue.getState(market).status === "open"));
}
