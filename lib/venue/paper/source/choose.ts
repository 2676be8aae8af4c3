import "server-only";
import { assert } from "@/lib/errors";
import { env } from "@/lib/env";
import { polymarketListing, polymarketOrigin } from "@/lib/venue/paper/source/polymarket";
import type { ExchangeMarket, Listing, Origin } from "@/lib/venue/paper/source/port";
import {
  isTemplateMarket,
  templateListing,
  templateOrigin,
} from "@/lib/venue/paper/source/templates";
import type { Market } from "@/lib/venue/port";

const TAKING_AGE_MS = 1_000;

/** Where newly traded markets come from: the operator's choice. */
export function paperListing(): Listing {
  return env().MARKET_DATA === "polymarket" ? polymarketListing : templateListing;
}

/** Sees to it that a taker's transaction finds quotes that are about a second old, not more. */
export function refreshForTaking(market: ExchangeMarket): Promise<void> {
  return paperListing().refresh([market], TAKING_AGE_MS);
}

/** A market keeps its origin, whatever is listed now: what was bought under one is held under both. */
export function originOf(market: ExchangeMarket): Origin {
  return isTemplateMarket(market) ? templateOrigin(market) : polymarketOrigin(market);
}

/** The exchange's own description of a market that it handed out. */
export function asExchangeMarket(market: Market): ExchangeMarket {
  assert(
    "template" in market || "listedPrice" in market,
    "a market of the paper exchange came from it",
  );
  return market as ExchangeMarket;
}
