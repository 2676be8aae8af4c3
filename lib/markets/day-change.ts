import "server-only";
import { now } from "@/lib/clock";
import { toBookPrice, type OutcomeIndex } from "@/lib/domain/settlement";
import { staleIfError } from "@/lib/stale-reads";
import { type Price, subtract } from "@/lib/units";
import type { Market, MarketSource, Mode } from "@/lib/venue/port";

const DAY_MS = 24 * 3_600_000;
/** "A day ago" is rounded to this step, so that each market is looked up once per step. */
const STEP_MS = 5 * 60_000;

interface DayAgoPrices {
  at: number;
  /** By market id; null if the market had no price then. */
  prices: Map<string, Price | null>;
}

const cached = new Map<Mode, DayAgoPrices>();

/**
 * Returns the prices of the first outcomes a day ago, to five minutes, by market id. Markets without
 * a known price then are left out.
 */
export async function getPricesDayAgo(
  venue: MarketSource,
  markets: readonly Market[],
): Promise<ReadonlyMap<string, Price>> {
  const step = Math.floor(venue.now() / STEP_MS) * STEP_MS;
  const { prices } = getCached(venue.mode, step);
  const missing = markets.filter(({ id }) => !prices.has(id));
  await staleIfError(
    async () => {
      // A closed market is compared with the day before its close.
      const found = await getPricesAt(venue, missing, (market) =>
        venue.getState(market).status === "open" ? step - DAY_MS : market.closesAt - DAY_MS,
      );
      for (const { id } of missing) prices.set(id, found.get(id) ?? null);
    },
    // The page shows no change then, and its other figures are current.
    () => ({ value: undefined, at: now() }),
  );
  const result = new Map<string, Price>();
  for (const { id } of markets) {
    const price = prices.get(id);
    if (price !== undefined && price !== null) result.set(id, price);
  }
  return result;
}

/** Returns the change of an outcome's price; null without an earlier price. */
export function computeChange(
  before: Price | undefined,
  { mark, outcome }: { mark: Price; outcome: OutcomeIndex },
): Price | null {
  return before === undefined
    ? null
    : subtract(toBookPrice(outcome, mark), toBookPrice(outcome, before));
}

/** Returns prices at an instant that can differ by market, with one request per instant. */
export async function getPricesAt(
  venue: MarketSource,
  markets: readonly Market[],
  toInstant: (market: Market) => number,
): Promise<Map<string, Price>> {
  const byInstant = new Map<number, Market[]>();
  for (const market of markets) {
    const at = toInstant(market);
    byInstant.set(at, [...(byInstant.get(at) ?? []), market]);
  }
  const found = await Promise.all(
    [...byInstant].map(([at, list]) => venue.getPastPrices(list, at)),
  );
  return new Map(found.flatMap((prices) => [...prices]));
}

function getCached(mode: Mode, at: number): DayAgoPrices {
  const current = cached.get(mode);
  if (current?.at === at) return current;
  const fresh: DayAgoPrices = { at, prices: new Map() };
  cached.set(mode, fresh);
  return fresh;
}
