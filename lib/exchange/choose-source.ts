import "server-only";
import { env } from "@/lib/env";
import { assert } from "@/lib/errors";
import { createLiveData, liveListing } from "@/lib/exchange/live-source";
import type { ExchangeMarket, MarketData, MarketListing } from "@/lib/exchange/market-source";
import {
  createTemplateData,
  isTemplateMarket,
  templateListing,
} from "@/lib/exchange/simulated-source";
import type { Market } from "@/lib/venue/port";

const MAX_TAKER_QUOTE_AGE_MS = 1_000;

/** Returns the source of new markets that the operator chose with MARKET_DATA. */
export function getMarketListing(): MarketListing {
  return env().MARKET_DATA === "polymarket" ? liveListing : templateListing;
}

/** Refreshes a market's quotes before a taker's transaction, unless they are at most a second old. */
export function refreshForTaker(market: ExchangeMarket): Promise<void> {
  return getMarketListing().refresh([market], MAX_TAKER_QUOTE_AGE_MS);
}

/**
 * Returns a market's data. Depends on the market, not on MARKET_DATA: positions in markets of the
 * other source remain after the operator changes it.
 */
export function getMarketData(market: ExchangeMarket): MarketData {
  return isTemplateMarket(market) ? createTemplateData(market) : createLiveData(market);
}

/** Narrows a market that this exchange returned to its own type. */
export function asExchangeMarket(market: Market): ExchangeMarket {
  assert(
    "template" in market || "listedPrice" in market,
    "a market of the paper exchange came from it",
  );
  return market as ExchangeMarket;
}
