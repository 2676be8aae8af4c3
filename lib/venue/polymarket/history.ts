import "server-only";
import { ExpiringCache } from "@/lib/expiring-cache";
import { now } from "@/lib/clock";
import { orLastKnown } from "@/lib/showing";
import { larger, ONE, type Price, price, smaller } from "@/lib/units";
import { getJson, UpstreamStatus } from "@/lib/venue/polymarket/http";
import { asRemoteMarket, type RemoteMarket } from "@/lib/venue/polymarket/markets";
import { WireHistory } from "@/lib/venue/polymarket/wire/books";
import type { Market, PricePoint } from "@/lib/venue/port";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** A chart's newest point may be this old. */
const FRESH_MS = 30_000;
const MAX_KEPT = 500;
/** How far an instant may be from "now" or "a day ago" and still be called so. */
const NEAR_MS = 15 * MINUTE_MS;

const kept = new ExpiringCache<PricePoint[]>({ max: MAX_KEPT, freshMs: FRESH_MS });
/** The newest of each kind, for showing it when there is no newer one: ranges end at "now". */
const newest = new ExpiringCache<PricePoint[]>({
  max: MAX_KEPT,
  freshMs: FRESH_MS,
  name: "history",
});

export interface HistoryRange {
  from: number;
  to: number;
  stepMs: number;
}

/** Prices of the first token in a range, not closer together than the venue keeps them. */
export async function readRemoteHistory(
  market: RemoteMarket,
  { from, to, stepMs }: HistoryRange,
): Promise<PricePoint[]> {
  if (from > to) return [];
  const tokenId = market.outcomes[0].tokenId;
  const fidelity = Math.max(1, Math.round(stepMs / MINUTE_MS));
  const [first, last] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  const kind = `${tokenId}/${fidelity}`;
  const load = async () => {
    const loaded = await loadHistory(tokenId, { startTs: first * 60, endTs: last * 60, fidelity });
    newest.set(kind, loaded);
    return loaded;
  };
  const points = await orLastKnown(
    () => kept.get(`${kind}/${first}/${last}`, load),
    () => newest.last(kind),
  );
  return points.filter(({ at }) => at >= from && at <= to);
}

interface Wanted {
  startTs: number;
  endTs: number;
  fidelity: number;
}

/** The parameter `market` takes a token. Ranges that are too long are asked for as a whole life. */
async function loadHistory(tokenId: string, wanted: Wanted): Promise<PricePoint[]> {
  const { startTs, endTs, fidelity } = wanted;
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
 * Prices of many markets at an instant, by market id. The venue's lists tell them of now and of a
 * day ago; for any other instant nothing is known without a question per market.
 */
export function listedPricesAt(markets: readonly Market[], at: number): Map<string, Price> {
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
