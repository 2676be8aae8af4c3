import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { bookPriceOf } from "@/lib/domain/settlement";
import { type Price, subtract } from "@/lib/units";
import type { Market, Venue } from "@/lib/venue/port";

const DAY_MS = 24 * 3_600_000;
/** "A day ago" moves on in such steps, so that it is looked up once per step and market. */
const STEP_MS = 5 * 60_000;

let cached: { at: number; prices: Map<string, Price | null> } = { at: 0, prices: new Map() };

/**
 * How the price of an outcome changed in the last day, to five minutes; null when the market was
 * not open then.
 */
export function dayChange(
  venue: Venue,
  market: Market,
  now: { mark: Price; outcome: OutcomeIndex },
): Price | null {
  const before = priceDayAgo(venue, market);
  return before === null
    ? null
    : subtract(bookPriceOf(now.outcome, now.mark), bookPriceOf(now.outcome, before));
}

/** In prices of the first token. A market that is over is compared with the day before its end. */
function priceDayAgo(venue: Venue, market: Market): Price | null {
  const step = Math.floor(venue.now() / STEP_MS) * STEP_MS;
  if (cached.at !== step) cached = { at: step, prices: new Map() };
  const known = cached.prices.get(market.id);
  if (known !== undefined) return known;
  const at = Math.min(step, market.closesAt) - DAY_MS;
  const [point] = at < market.opensAt ? [] : venue.getHistory(market, at, at, STEP_MS);
  cached.prices.set(market.id, point?.price ?? null);
  return point?.price ?? null;
}
