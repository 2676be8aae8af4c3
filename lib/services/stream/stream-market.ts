import "server-only";
import type { z } from "zod";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import type { ServerEvent, StreamCall } from "@/lib/services/stream/stream-call";
import type { LiveBook } from "@/lib/schemas/market-pages";
import { outcomeOf, requireMarket } from "@/lib/services/markets/market-view";
import { marketEvents } from "@/lib/services/stream/market-events";
import { readLiveBook, readOwnOrders } from "@/lib/services/stream/read-live-market";
import { takeStreamSlot } from "@/lib/services/stream/stream-slots";
import { venueOf } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

/** Streams what moves on a market's page: `?market=` id or slug, `&token=` one of its tokens. */
export async function streamMarket(call: StreamCall): Promise<AsyncGenerator<ServerEvent>> {
  const { session, query, signal, isSignedIn } = call;
  const market = await requireMarket(venueOf(session.principal.mode), query.get("market") ?? "");
  const outcome = outcomeOf(market, query.get("token") ?? undefined);
  const release = takeStreamSlot(session);
  const read = async () => ({
    live: await sharedBook(session, market, outcome),
    orders: await readOwnOrders(session.principal, market),
  });
  return releasing(marketEvents({ marketId: market.id, read, isSignedIn, signal }), release);
}

async function* releasing(
  events: AsyncGenerator<ServerEvent>,
  release: () => void,
): AsyncGenerator<ServerEvent> {
  try {
    yield* events;
  } finally {
    release();
  }
}

type Read = Promise<z.output<typeof LiveBook>>;
/** A little less than the streams' step: each step of each stream still sees a new book. */
const SHARED_MS = 900;
const shared = new Map<string, { at: number; read: Read }>();

/** Everybody who looks at a book shares one read of it per second. */
function sharedBook(session: Session, market: Market, outcome: OutcomeIndex): Read {
  const at = now();
  for (const [key, entry] of shared) if (at - entry.at >= SHARED_MS) shared.delete(key);
  const key = `${session.principal.mode}/${market.id}/${outcome}`;
  const known = shared.get(key);
  if (known) return known.read;
  const read = readLiveBook(session.principal, market, outcome);
  shared.set(key, { at, read });
  return read;
}
