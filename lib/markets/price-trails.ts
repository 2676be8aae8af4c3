import "server-only";
import { LRUCache } from "lru-cache";
import type { Principal } from "@/lib/auth/principal";
import { microToNumber, type Price } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { Market, MarketSource } from "@/lib/venue/port";

/** A trail has one price per half day of the last week. */
const STEP_MS = 12 * 3_600_000;
const STEPS = 14;

/** Prices by market id at past instants, by mode and instant; null for a market without one. */
const cached = new LRUCache<string, Map<string, Price | null>>({ max: 4 * STEPS });

/**
 * Returns the first outcomes' prices over the last week by market id, oldest first, as JSON numbers for
 * small charts. It asks the venue once per instant for all markets, and keeps what it learned. Markets
 * whose prices the venue doesn't list for these instants are left out.
 */
export async function getPriceTrails(
  principal: Principal,
  marketIds: readonly string[],
): Promise<Record<string, number[]>> {
  const venue = getVenue(principal.mode);
  const markets = [...(await venue.getMarkets(marketIds)).values()];
  const last = Math.floor(venue.now() / STEP_MS) * STEP_MS;
  const instants = Array.from({ length: STEPS }, (_, index) => last - (STEPS - 1 - index) * STEP_MS);
  const columns = await Promise.all(instants.map((at) => findPrices(venue, markets, at)));
  const trails = markets.map(({ id }): [string, number[]] => [
    id,
    columns.flatMap((prices) => {
      const price = prices.get(id);
      return price === null || price === undefined ? [] : [microToNumber(price)];
    }),
  ]);
  return Object.fromEntries(trails.filter(([, prices]) => prices.length > 1));
}

async function findPrices(
  venue: MarketSource,
  markets: readonly Market[],
  at: number,
): Promise<ReadonlyMap<string, Price | null>> {
  const key = `${venue.mode}/${at}`;
  const known = cached.get(key) ?? new Map<string, Price | null>();
  const missing = markets.filter(({ id }) => !known.has(id));
  if (missing.length > 0) {
    const found = await venue.getPastPrices(missing, at);
    for (const { id } of missing) known.set(id, found.get(id) ?? null);
    cached.set(key, known);
  }
  return known;
}
