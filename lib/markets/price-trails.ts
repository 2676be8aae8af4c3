import "server-only";
import { LRUCache } from "lru-cache";
import type { Principal } from "@/lib/auth/principal";
import { toBookPrice } from "@/lib/domain/settlement";
import { withoutStaleReads } from "@/lib/stale-reads";
import { microToNumber, type Price } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { Market, MarketSource } from "@/lib/venue/port";

/** The steps of a trail: a day, or less for a market that is only a few hours or minutes old. */
const STEPS_MS = [24 * 3_600_000, 3 * 3_600_000, 30 * 60_000, 2 * 60_000] as const;
/** A trail has at most this many prices. */
const LENGTH = 7;
/** A market younger than this many steps has the next smaller step. */
const LEAST_STEPS = 3;

/** Prices by market id at past instants, by mode and instant; null for a market without one. */
const cached = new LRUCache<string, Map<string, Price | null>>({
  max: 4 * LENGTH * STEPS_MS.length,
});

/**
 * Returns the prices of tokens over the last week, or since their market opened, oldest first, as JSON
 * numbers for small charts, in the order of the tokens. It asks the venue once per instant for all
 * markets, and keeps the response. A trail is empty if the venue doesn't list prices for these instants.
 */
export async function getPriceTrails(
  principal: Principal,
  tokens: readonly { id: string; conditionId: string }[],
): Promise<number[][]> {
  const venue = getVenue(principal.mode);
  const known = await venue.getMarkets(tokens.map(({ conditionId }) => conditionId));
  const steps = new Map([...known].map(([id, market]) => [id, chooseStep(venue, market)]));
  const columns = new Map(
    await Promise.all(
      [...new Set(steps.values())].map(async (step) => {
        const markets = [...known.values()].filter(({ id }) => steps.get(id) === step);
        return [step, await findColumns(venue, markets, step)] as const;
      }),
    ),
  );
  return tokens.map(({ id, conditionId }) => {
    const outcome = known.get(conditionId)?.outcomes[0].tokenId === id ? 0 : 1;
    const own = columns.get(steps.get(conditionId) ?? 0) ?? [];
    return own.flatMap((prices) => {
      const price = prices.get(conditionId) ?? null;
      return price === null ? [] : [toDrawn(toBookPrice(outcome, price))];
    });
  });
}

/** Returns the largest step of which the market's life has a few. */
function chooseStep(venue: MarketSource, { opensAt }: Market): number {
  const age = venue.now() - opensAt;
  return STEPS_MS.find((step) => age >= LEAST_STEPS * step) ?? Math.min(...STEPS_MS);
}

/** Returns the prices of markets at the last instants of a step, oldest first. */
function findColumns(venue: MarketSource, markets: readonly Market[], step: number) {
  const last = Math.floor(venue.now() / step) * step;
  return Promise.all(
    Array.from({ length: LENGTH }, (_, index) =>
      findPrices(venue, markets, last - (LENGTH - 1 - index) * step),
    ),
  );
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
