import "server-only";
import { LRUCache } from "lru-cache";
import type { Principal } from "@/lib/auth/principal";
import { toBookPrice } from "@/lib/domain/settlement";
import { withoutStaleReads } from "@/lib/stale-reads";
import { microToNumber, type Price } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { Market, MarketSource } from "@/lib/venue/port";

/** A trail has one price per day of the last week. */
const STEP_MS = 24 * 3_600_000;
const STEPS = 7;

/** Prices by market id at past instants, by mode and instant; null for a market without one. */
const cached = new LRUCache<string, Map<string, Price | null>>({ max: 4 * STEPS });

/**
 * Returns the prices of tokens over the last week, oldest first, as JSON numbers for small charts,
 * in the order of the tokens. It asks the venue once per instant for all markets, and keeps the
 * response. A trail is empty if the venue doesn't list prices for these instants.
 */
export async function getPriceTrails(
  principal: Principal,
  tokens: readonly { id: string; conditionId: string }[],
): Promise<number[][]> {
  const venue = getVenue(principal.mode);
  const known = await venue.getMarkets(tokens.map(({ conditionId }) => conditionId));
  const last = Math.floor(venue.now() / STEP_MS) * STEP_MS;
  const instants = Array.from(
    { length: STEPS },
    (_, index) => last - (STEPS - 1 - index) * STEP_MS,
  );
  const columns = await Promise.all(
    instants.map((at) => findPrices(venue, [...known.values()], at)),
  );
  return tokens.map(({ id, conditionId }) => {
    const outcome = known.get(conditionId)?.outcomes[0].tokenId === id ? 0 : 1;
    return columns.flatMap((prices) => {
      const price = prices.get(conditionId) ?? null;
      return price === null ? [] : [toDrawn(toBookPrice(outcome, price))];
    });
  });
}

/** Three decimals are enough for a line of 20 pixels, and keep the page small. */
const toDrawn = (price: Price) => Math.round(microToNumber(price) * 1_000) / 1_000;

async function findPrices(
  venue: MarketSource,
  markets: readonly Market[],
  at: number,
): Promise<ReadonlyMap<string, Price | null>> {
  const key = `${venue.mode}/${at}`;
  const known = cached.get(key) ?? new Map<string, Price | null>();
  const missing = markets.filter(({ id }) => !known.has(id));
  if (missing.length > 0) {
    // The cache must not receive stale values.
    const found = await withoutStaleReads(() => venue.getPastPrices(missing, at));
    for (const { id } of missing) known.set(id, found.get(id) ?? null);
    cached.set(key, known);
  }
  return known;
}
