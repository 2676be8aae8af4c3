import "server-only";
import { LRUCache } from "lru-cache";
import { countMarketChanges } from "@/lib/db/market-transaction";
import type { Quote } from "@/lib/domain/mark-price";
import { getMarketData } from "@/lib/exchange/choose-source";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { readQuotes } from "@/lib/exchange/read-quotes";

const MAX_MARKETS = 5_000;

interface RecentQuote {
  quote: Quote;
  /** The exchange's time of the quote. */
  at: number;
  /** This process's changes of the market before the quote was read. */
  changes: number;
}

const recent = new LRUCache<string, RecentQuote>({ max: MAX_MARKETS });

/**
 * Returns quotes of markets like `readQuotes`, or earlier ones up to `maxAgeMs` old. A quote is read
 * again once this process has changed its market. All accounts share the quotes: an account that has
 * changed needs those of one market, not of each of its 50. Reading 50 takes 0.7 ms of the database's
 * CPU time and 0.4 ms of the service's.
 */
export async function readRecentQuotes(
  markets: readonly ExchangeMarket[],
  at: number,
  maxAgeMs: number,
): Promise<Map<string, Quote>> {
  const quotes = new Map<string, Quote>();
  const others: ExchangeMarket[] = [];
  for (const market of markets) {
    const quote = findRecent(market, at, maxAgeMs);
    if (quote) quotes.set(market.id, quote);
    else others.push(market);
  }
  if (others.length === 0) return quotes;
  const changes = new Map(others.map(({ id }) => [id, countMarketChanges(id)]));
  for (const [id, quote] of await readQuotes(others, at)) {
    quotes.set(id, quote);
    recent.set(id, { quote, at, changes: changes.get(id) ?? 0 });
  }
  return quotes;
}

function findRecent(market: ExchangeMarket, at: number, maxAgeMs: number): Quote | null {
  const known = recent.get(market.id);
  if (known?.changes !== countMarketChanges(market.id)) return null;
  const age = at - known.at;
  // The price of a resolved market is exact at any time, and costs nothing.
  const isResolved = getMarketData(market).getFirstPayout(at) !== null;
  return !isResolved && age >= 0 && age < maxAgeMs ? known.quote : null;
}
