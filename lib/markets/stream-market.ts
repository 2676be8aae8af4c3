import "server-only";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { errorFields, log } from "@/lib/log";
import { requireMarket, requireOutcome } from "@/lib/markets/market-view";
import { readLive } from "@/lib/markets/read-live-market";
import { LiveBook, type LiveMarket, TapeTrade } from "@/lib/schemas/market-pages";
import { RECONNECT, type ServerEvent } from "@/lib/server-events";
import { takeStreamSlots } from "@/lib/open-streams";
import type { Market } from "@/lib/venue/port";
import { getVenue } from "@/lib/venues";

/** A request for a stream. */
export interface StreamRequest {
  session: Session;
  query: URLSearchParams;
  /** The id of the last event that a browser got before it connects again. */
  lastEventId: string | null;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Checks that the session is still valid. */
  isSignedIn: () => Promise<boolean>;
}

/** The polling interval. */
const STEP_MS = 1_000;
/** Without a change, a `still` event is sent this often, so that the client can detect a broken stream. */
const STILL_MS = 2_000;
const HEARTBEAT_MS = 15_000;
const SESSION_CHECK_MS = 30_000;
/** The longest stream. The browser reconnects afterwards. */
const LIFE_MS = 10 * 60_000;

/** Streams the live data of a market's page: `?market=` id or slug, `&token=` one of its tokens. */
export async function streamMarket(call: StreamRequest): Promise<AsyncGenerator<ServerEvent>> {
  const { session, query, signal, isSignedIn } = call;
  const market = await requireMarket(getVenue(session.principal.mode), query.get("market") ?? "");
  const outcome = requireOutcome(market, query.get("token") ?? undefined);
  const release = takeStreamSlot(session);
  const read = () => readShared(session, market, outcome);
  const events = streamMarketEvents({ marketId: market.id, read, isSignedIn, signal });
  return releaseAfter(events, release);
}

async function* releaseAfter(
  events: AsyncGenerator<ServerEvent>,
  release: () => void,
): AsyncGenerator<ServerEvent> {
  try {
    yield RECONNECT;
    yield* events;
  } finally {
    release();
  }
}

export interface MarketStream {
  marketId: string;
  read: () => Promise<z.output<typeof LiveMarket>>;
  /** Checks that the session is still valid. */
  isSignedIn: () => Promise<boolean>;
  signal: AbortSignal;
}

/**
 * Yields `book` when the book changed, `trades` when something traded, `still` when
 * nothing changed, and `ended` when the session has ended. A failed read yields nothing.
 */
export async function* streamMarketEvents(stream: MarketStream): AsyncGenerator<ServerEvent> {
  const startedAt = now();
  const sent = { book: "", trades: "", at: startedAt, heartbeat: startedAt, session: startedAt };
  while (!stream.signal.aborted && now() - startedAt < LIFE_MS) {
    if (now() - sent.session >= SESSION_CHECK_MS) {
      sent.session = now();
      if (!(await stream.isSignedIn())) return yield { event: "ended", data: {} };
    }
    yield* yieldChanges(stream, sent);
    if (now() - sent.heartbeat >= HEARTBEAT_MS) {
      sent.heartbeat = now();
      yield { comment: "still here" };
    }
    await pause(STEP_MS, stream.signal);
  }
}

/** The last values that were sent, as JSON. */
interface Sent {
  book: string;
  trades: string;
  /** When an event was last sent. */
  at: number;
}

async function* yieldChanges(stream: MarketStream, sent: Sent): AsyncGenerator<ServerEvent> {
  const current = await readOrNull(stream);
  if (!current) return;
  const live = z.encode(LiveBook, current.live);
  const trades = z.encode(z.array(TapeTrade), current.trades);
  const book = JSON.stringify({ ...live, book: { ...live.book, at: null } });
  const tradesJson = JSON.stringify(trades);
  const at = now();
  if (tradesJson !== sent.trades) {
    Object.assign(sent, { trades: tradesJson, at });
    yield { event: "trades", data: trades };
  }
  if (book !== sent.book) {
    Object.assign(sent, { book, at });
    yield { event: "book", data: live };
  } else if (at - sent.at >= STILL_MS) {
    sent.at = at;
    yield { event: "still", data: {} };
  }
}

async function readOrNull({ marketId, read }: MarketStream) {
  try {
    return await read();
  } catch (error) {
    log.error("stream read failed", { marketId, ...errorFields(error) });
    return null;
  }
}

/** Waits until the time has passed or the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

/** The number of market pages that one browser can have open. */
const MAX_PER_SESSION = 5;
const MAX_PER_USER = 20;
/** Each stream queries the database once a second. */
const MAX_PER_PROCESS = 300;

type Read = Promise<z.output<typeof LiveMarket>>;
/** A little less than the streams' polling interval, so that each poll sees a new book. */
const SHARED_MS = 900;
const shared = new LRUCache<string, Read>({
  max: MAX_PER_PROCESS,
  ttl: SHARED_MS,
  ttlResolution: 0,
  perf: { now },
});

/** Reads a market at most once per second for all streams together. */
function readShared(session: Session, market: Market, outcome: OutcomeIndex): Read {
  const key = `${session.principal.mode}/${market.id}/${outcome}`;
  const known = shared.get(key);
  if (known) return known;
  const read = readLive(session.principal, market, outcome);
  shared.set(key, read);
  return read;
}

/** Counts a stream of a session. Throws RATE_LIMITED. Call the returned function when it ends. */
export function takeStreamSlot(session: Pick<Session, "id" | "principal">): () => void {
  return takeStreamSlots([
    [`book/${session.id}`, MAX_PER_SESSION],
    [`book/${session.principal.userId}`, MAX_PER_USER],
    ["book", MAX_PER_PROCESS],
  ]);
}
