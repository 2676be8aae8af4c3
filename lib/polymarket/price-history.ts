import "server-only";
import { ExpiringCache } from "@/lib/expiring-cache";
import { now } from "@/lib/clock";
import { staleIfError } from "@/lib/stale-reads";
import { larger, ONE, type Price, price, smaller } from "@/lib/units";
import { getJson, UpstreamStatus } from "@/lib/polymarket/http";
import { asRemoteMarket, type RemoteMarket } from "@/lib/polymarket/markets";
import { WireHistory } from "@/lib/polymarket/wire/books";
import type { Market, PricePoint } from "@/lib/venue/port";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** The newest point of a chart may be this old. */
const FRESH_MS = 30_000;
const MAX_ENTRIES = 500;
/** Tolerance for "now" and "a day ago". */
const NEAR_MS = 15 * MINUTE_MS;

const cache = new ExpiringCache<PricePoint[]>({ max: MAX_ENTRIES, freshMs: FRESH_MS });
/** The last history per token and step, as a fallback: the keys of `cache` change every minute. */
const newest = new ExpiringCache<PricePoint[]>({
  max: MAX_ENTRIES,
  freshMs: FRESH_MS,
  name: "history",
});

export interface HistoryRange {
  from: number;
  to: number;
  stepMs: number;
}

/** Reads prices of the first token in a range, at the venue's resolution or coarser. */
export async function readRemoteHistory(
  market: RemoteMarket,
  { from, to, stepMs }: HistoryRange,
): Promise<PricePoint[]> {
  if (from > to || market.untradable !== null) return [];
  const tokenId = market.outcomes[0].tokenId;
  const fidelity = Math.max(1, Math.round(stepMs / MINUTE_MS));
  const [first, last] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  const kind = `${tokenId}/${fidelity}`;
  const load = async () => {
    const loaded = await loadHistory(tokenId, { startTs: first * 60, endTs: last * 60, fidelity });
    newest.set(kind, loaded);
    return loaded;
  };
  const points = await staleIfError(
    () => cache.get(`${kind}/${first}/${last}`, load),
    () => newest.last(kind),
  );
  return points.filter(({ at }) => at >= from && at <= to);
}

interface HistoryQuery {
  startTs: number;
  endTs: number;
  fidelity: number;
}

/** Loads a range. The parameter `market` takes a token. Too long ranges load the whole history. */
async function loadHistory(tokenId: string, query: HistoryQuery): Promise<PricePoint[]> {
  const { startTs, endTs, fidelity } = query;
  const common = { market: tokenId, fidelity: String(fidelity) };
  try {
    return await loadPoints({ ...common, startTs: String(startTs), endTs: String(endTs) });
  } catch (error) {
    if (!(error instanceof UpstreamStatus)) throw error;
    if (error.upstreamStatus === 404) return [];
    if (error.upstreamStatus !== 400) throw error;
    return loadPoints({ ...common, interval: "max" });
  }
}

async function loadPoints(query: Record<string, string>): Promise<PricePoint[]> {
  const { history } = await getJson("clob", "/prices-history", query, WireHistory);
  return history
    .filter(({ p }) => p <= ONE)
    .map(({ t, p }) => ({ at: t * 1_000, price: price(p) }))
    .toSorted((a, b) => a.at - b.at);
}

/**
 * Returns prices of many markets at a time, by market id. The venue's lists contain prices of now and
 * of a day ago. Any other time would need one request per market, so it returns none.
 */
export function findListedPrices(markets: readonly Market[], at: number): Map<string, Price> {
  const age = now() - at;
  const prices = new Map<string, Price>();
  for (const market of markets.map(asRemoteMarket)) {
    if (Math.abs(age) <= NEAR_MS) prices.set(market.id, market.listedPrice);
    if (Math.abs(age - DAY_MS) <= NEAR_MS && market.dayChange !== null) {
      const before = market.listedPrice - market.dayChange;
      prices.set(market.id, price(larger(0n, smaller(before, ONE))));
    }
  }
  return prices;
}
