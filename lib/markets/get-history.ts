import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { toBookPrice } from "@/lib/domain/settlement";
import type { PriceHistory } from "@/lib/schemas/markets";
import { requireOutcome, requireMarket } from "@/lib/markets/market-view";
import { getVenue } from "@/lib/venues";

const HOUR_MS = 3_600_000;
const INTERVAL_MS = {
  "1h": HOUR_MS,
  "6h": 6 * HOUR_MS,
  "1d": 24 * HOUR_MS,
  "1w": 7 * 24 * HOUR_MS,
  "1m": 30 * 24 * HOUR_MS,
  max: Number.POSITIVE_INFINITY,
} as const;
/** Points of a whole interval. A younger market has fewer. */
const POINTS = 240;
const FINEST_STEP_MS = 5_000;

export interface HistoryQuery {
  tokenId?: string | undefined;
  interval?: keyof typeof INTERVAL_MS | undefined;
}

/** Returns the prices of one outcome over an interval that ends now, or at the market's close. */
export async function getHistory(
  principal: Principal,
  idOrSlug: string,
  query: HistoryQuery,
): Promise<z.output<typeof PriceHistory>> {
  const venue = getVenue(principal.mode);
  const market = await requireMarket(venue, idOrSlug);
  const outcome = requireOutcome(market, query.tokenId);
  // The closing time of an open market is only expected, and some trade beyond it.
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
      price: toBookPrice(outcome, price),
    })),
  };
}
