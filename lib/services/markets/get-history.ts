import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { bookPriceOf } from "@/lib/domain/settlement";
import type { PriceHistory } from "@/lib/schemas/markets";
import { outcomeOf, requireMarket } from "@/lib/services/markets/market-view";
import { venueOf } from "@/lib/venue";

const HOUR_MS = 3_600_000;
const INTERVAL_MS = {
  "1h": HOUR_MS,
  "6h": 6 * HOUR_MS,
  "1d": 24 * HOUR_MS,
  "1w": 7 * 24 * HOUR_MS,
  "1m": 30 * 24 * HOUR_MS,
  max: Number.POSITIVE_INFINITY,
} as const;
/** Points of a whole interval; a shorter life has fewer. */
const POINTS = 240;
const FINEST_STEP_MS = 5_000;

export interface HistoryQuery {
  tokenId?: string | undefined;
  interval?: keyof typeof INTERVAL_MS | undefined;
}

/** Prices of one outcome over an interval that ends now. */
export async function getHistory(
  principal: Principal,
  idOrSlug: string,
  query: HistoryQuery,
): Promise<z.output<typeof PriceHistory>> {
  const venue = venueOf(principal.mode);
  const market = await requireMarket(venue, idOrSlug);
  const outcome = outcomeOf(market, query.tokenId);
  // The end of an open market is an expectation, and some trade on past it.
  const isOpen = venue.getState(market).status === "open";
  const to = isOpen ? venue.now() : Math.min(venue.now(), market.closesAt);
  const from = Math.max(market.opensAt, to - INTERVAL_MS[query.interval ?? "1d"]);
  const stepMs = Math.max(FINEST_STEP_MS, Math.ceil((to - from) / POINTS));
  const points = await venue.getHistory(market, from, to, stepMs);
  return {
    marketId: market.id,
    tokenId: market.outcomes[outcome].tokenId,
    points: points.map(({ at, price }) => ({
      at: new Date(at),
      price: bookPriceOf(outcome, price),
    })),
  };
}
