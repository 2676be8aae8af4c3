import "server-only";
import { now } from "@/lib/clock";
import { bookPriceOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { orLastKnown } from "@/lib/showing";
import { type Price, subtract } from "@/lib/units";
import type { Market, MarketSource, Mode } from "@/lib/venue/port";

const DAY_MS = 24 * 3_600_000;
/** "A day ago" moves on in such steps, so that it is looked up once per step and market. */
const STEP_MS = 5 * 60_000;

interface Known {
  at: number;
  /** By market id; null when the market has no price of then. */
  prices: Map<string, Price | null>;
}

const known = new Map<Mode, Known>();

/**
 * The first tokens' prices of a day ago, to five minutes, by market id. Markets that were not open
 * then, or of which the venue does not know it, are left out.
 */
export async function pricesDayAgo(
  venue: MarketSource,
  markets: readonly Market[],
): Promise<ReadonlyMap<string, Price>> {
  const step = Math.floor(venue.now() / STEP_MS) * STEP_MS;
  const { prices } = knownAt(venue.mode, step);
  const missing = markets.filter(({ id }) => !prices.has(id));
  await orLastKnown(
    async () => {
      // A market that is over is compared with the day before its end.
      const found = await pricesAt(venue, missing, (market) =>
        venue.getState(market).status === "open" ? step - DAY_MS : market.closesAt - DAY_MS,
      );
      for (const { id } of missing) prices.set(id, found.get(id) ?? null);
    },
    // Nothing else that is shown is the older for a change that is not known.
    () => ({ value: undefined, at: now() }),
  );
  const result = new Map<string, Price>();
  for (const { id } of markets) {
    const price = prices.get(id);
    if (price !== undefined && price !== null) result.set(id, price);
  }
  return result;
}

/** How the price of an outcome changed; null when there is nothing to compare it with. */
export function changeSince(
  before: Price | undefined,
  { mark, outcome }: { mark: Price; outcome: OutcomeIndex },
): Price | null {
  return before === undefined
    ? null
    : subtract(bookPriceOf(outcome, mark), bookPriceOf(outcome, before));
}

/** Prices at an instant that may differ by market, with one question per instant. */
export async function pricesAt(
  venue: MarketSource,
  markets: readonly Market[],
  instantOf: (market: Market) => number,
): Promise<Map<string, Price>> {
  const byInstant = new Map<number, Market[]>();
  for (const market of markets) {
    const at = instantOf(market);
    byInstant.set(at, [...(byInstant.get(at) ?? []), market]);
  }
  const found = await Promise.all(
    [...byInstant].map(([at, list]) => venue.getPastPrices(list, at)),
  );
  return new Map(found.flatMap((prices) => [...prices]));
}

function knownAt(mode: Mode, at: number): Known {
  const current = known.get(mode);
  if (current?.at === at) return current;
  const fresh: Known = { at, prices: new Map() };
  known.set(mode, fresh);
  return fresh;
}
