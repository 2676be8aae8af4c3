import "server-only";
import { toBookPrice } from "@/lib/domain/settlement";
import { SandboxError } from "@/lib/sandbox/error";
import { type Asker, readInTurn } from "@/lib/sandbox/turns";
import { microToNumber } from "@/lib/units";
import { paperExchange } from "@/lib/venues";
import type { PricePoint } from "@/lib/venue/port";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The venue's intervals, each with the time before now and the smallest step in minutes. */
const INTERVALS = {
  "1h": { ms: DAY_MS / 24, fidelity: 1 },
  "6h": { ms: DAY_MS / 4, fidelity: 1 },
  "1d": { ms: DAY_MS, fidelity: 1 },
  "1w": { ms: 7 * DAY_MS, fidelity: 5 },
  "1m": { ms: 31 * DAY_MS, fidelity: 10 },
} as const;
/** These two start as early as the points allow. Their step is at least this many minutes. */
const WHOLE_INTERVALS: readonly string[] = ["max", "all"];
const WHOLE_FIDELITY = 10;
const MAX_POINTS = (31 * DAY_MS) / (WHOLE_FIDELITY * MINUTE_MS);
/** The longest time between `startTs` and `endTs`. */
const MAX_SPAN_MS = 15 * DAY_MS;
/** Points of the longest span with the smallest step. */
const MAX_SPAN_POINTS = MAX_SPAN_MS / MINUTE_MS;

interface Range {
  from: number;
  to: number;
  stepMs: number;
}

/**
 * Serves `GET /prices-history`: a price per step, and the price at the end of the range. Its parameter
 * `market` is a token id. The limits of intervals and steps are the venue's, see docs/sandbox.md.
 */
export async function readHistory(asker: Asker, query: URLSearchParams) {
  const tokenId = query.get("market");
  if (!tokenId) throw invalid("the 'market' (asset id) is mandatory");
  const range = readRange(query, paperExchange().now());
  const found = await paperExchange().findMarketByToken(tokenId);
  if (!found) return { history: [] };
  const { market, outcome } = found;
  const [points = []] = await readInTurn(asker, [range], ({ from, to, stepMs }) =>
    paperExchange().getHistory(market, from, to, stepMs),
  );
  const { to, stepMs } = range;
  // The series of a remote market comes from the venue and has its end already.
  const isOwn = market.figures === null;
  const [end] = isOwn ? await paperExchange().getHistory(market, to, to, stepMs) : [];
  return {
    history: appendEnd(points, end).map(({ at, price }) => ({
      t: Math.floor(at / 1000),
      p: microToNumber(toBookPrice(outcome, price)),
    })),
  };
}

/** Ends a series with the price at the end of its range, like the venue. */
function appendEnd(points: readonly PricePoint[], end: PricePoint | undefined): PricePoint[] {
  const last = points.at(-1);
  return end && (last === undefined || last.at < end.at) ? [...points, end] : [...points];
}

function readRange(query: URLSearchParams, now: number): Range {
  const minutes = readFidelity(query);
  const interval = query.get("interval");
  const known = interval !== null && Object.hasOwn(INTERVALS, interval);
  const limits = known ? INTERVALS[interval as keyof typeof INTERVALS] : null;
  if (limits && minutes < limits.fidelity) {
    throw invalid(`minimum 'fidelity' for '${interval}' range is ${limits.fidelity}`);
  }
  if (query.has("startTs") || query.has("endTs")) return readWindow(query, now, minutes);
  if (limits) return { from: now - limits.ms, to: now, stepMs: minutes * MINUTE_MS };
  if (interval !== null && WHOLE_INTERVALS.includes(interval)) {
    const stepMs = Math.max(WHOLE_FIDELITY, minutes) * MINUTE_MS;
    return { from: now - MAX_POINTS * stepMs, to: now, stepMs };
  }
  const names = Object.keys(INTERVALS).toReversed();
  const list = names.map((name) => `'${name}'`).join(", ");
  throw invalid(`the 'interval' value is unknown. Known values: ${list}`);
}

function readWindow(query: URLSearchParams, now: number, minutes: number): Range {
  const from = readSeconds(query, "startTs");
  const to = query.has("endTs") ? readSeconds(query, "endTs") : now;
  if (query.has("endTs") && to - from > MAX_SPAN_MS) {
    throw invalid("'startTs' and 'endTs' interval is too long");
  }
  // An open end has no limit on its length at the venue; here the points have one.
  const stepMs = Math.max(minutes * MINUTE_MS, Math.ceil((to - from) / MAX_SPAN_POINTS));
  return { from, to: Math.min(now, to), stepMs };
}

function readSeconds(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? "";
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
  throw invalid(`'${name}' must be a timestamp in seconds`);
}

/** Reads the step in minutes. The venue uses a minute for less and by default. */
function readFidelity(query: URLSearchParams): number {
  const minutes = Math.floor(Number(query.get("fidelity") ?? 1));
  return Number.isFinite(minutes) ? Math.max(1, minutes) : 1;
}

const invalid = (reason: string) => new SandboxError(400, `invalid filters: ${reason}`);
