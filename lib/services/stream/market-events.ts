import "server-only";
import { z } from "zod";
import { now } from "@/lib/clock";
import type { ServerEvent } from "@/lib/services/stream/stream-call";
import { errorFields, log } from "@/lib/log";
import { LiveBook, type LiveMarket, RestingOwnOrder } from "@/lib/schemas/market-pages";

/** How often the market is looked at. */
const STEP_MS = 1_000;
/** Nothing changed: said this often, so that who listens knows it from silence. */
const STILL_MS = 2_000;
const HEARTBEAT_MS = 15_000;
const SESSION_CHECK_MS = 30_000;
/** Then the browser connects anew, with whatever the page and the network are by then. */
const LIFE_MS = 10 * 60_000;

/** What is streamed, and to whom. */
export interface Watched {
  marketId: string;
  read: () => Promise<z.output<typeof LiveMarket>>;
  /** Whether the listener may still listen. */
  isSignedIn: () => Promise<boolean>;
  signal: AbortSignal;
}

/**
 * `book` when the book changed, `orders` when the account's own did, `still` when neither did, and
 * `ended` when the session is over. A read that fails says nothing: silence is what tells it.
 */
export async function* marketEvents(watched: Watched): AsyncGenerator<ServerEvent> {
  const startedAt = now();
  const said = { book: "", orders: "", at: startedAt, heartbeat: startedAt, session: startedAt };
  while (!watched.signal.aborted && now() - startedAt < LIFE_MS) {
    if (now() - said.session >= SESSION_CHECK_MS) {
      said.session = now();
      if (!(await watched.isSignedIn())) return yield { event: "ended", data: {} };
    }
    yield* news(watched, said);
    if (now() - said.heartbeat >= HEARTBEAT_MS) {
      said.heartbeat = now();
      yield { comment: "still here" };
    }
    await pause(STEP_MS, watched.signal);
  }
}

interface Said {
  book: string;
  orders: string;
  /** When something of the market was last said. */
  at: number;
}

async function* news(watched: Watched, said: Said): AsyncGenerator<ServerEvent> {
  const current = await readOrNull(watched);
  if (!current) return;
  const live = z.encode(LiveBook, current.live);
  const orders = z.encode(z.array(RestingOwnOrder), current.orders);
  const book = JSON.stringify({ ...live, book: { ...live.book, at: null } });
  const own = JSON.stringify(orders);
  const at = now();
  if (own !== said.orders) {
    Object.assign(said, { orders: own, at });
    yield { event: "orders", data: orders };
  }
  if (book !== said.book) {
    Object.assign(said, { book, at });
    yield { event: "book", data: live };
  } else if (at - said.at >= STILL_MS) {
    said.at = at;
    yield { event: "still", data: {} };
  }
}

async function readOrNull({ marketId, read }: Watched) {
  try {
    return await read();
  } catch (error) {
    log.error("stream read failed", { marketId, ...errorFields(error) });
    return null;
  }
}

/** Waits, or less long when the signal comes. Leaves no timer behind. */
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
