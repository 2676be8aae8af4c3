import "server-only";
import { watchRequests } from "@/lib/api/middleware/request-log";
import { watchSession } from "@/lib/auth/watch-sessions";
import { getDb } from "@/lib/db/client";
import { selectNewestTime } from "@/lib/db/queries/account-events";
import type { AccountRef } from "@/lib/db/queries/mode";
import { openEventStream, parseEventId } from "@/lib/events/stream-events";
import type { StreamEnd } from "@/lib/schemas/events";
import type { StreamRequest } from "@/lib/markets/stream-market";
import { takeStreamSlots } from "@/lib/open-streams";
import type { ServerEvent } from "@/lib/server-events";

const SESSION_CHECK_MS = 30_000;
/** How often a browser hears that the service runs. A beat reads nothing, so it costs one small write. */
const BEAT_MS = 1_000;
/** How long before the figures of a page an event may be written that they don't include yet. */
const COMMITTED_WITHIN_MS = 30_000;
/** The number of tabs that one browser can follow its account in. */
const MAX_PER_SESSION = 12;
const MAX_PER_PROCESS = 1_000;

/**
 * Streams the events of the account that a browser shows, until it signs out or leaves. Between them it
 * sends beats, so that the browser soon notices a service that hangs: the connection stays open then.
 *
 * A page names the time of its figures in `?since=`, in milliseconds. If the account may have changed since, the
 * first event is "behind". Otherwise the page needn't read what it just got from the server.
 */
export async function streamSessionEvents({
  session,
  query,
  lastEventId,
  signal,
  isSignedIn,
}: StreamRequest): Promise<AsyncGenerator<ServerEvent>> {
  const after = lastEventId === null ? undefined : parseEventId(lastEventId);
  const ended = new AbortController();
  const release = takeStreamSlots([
    [`events/${session.id}`, MAX_PER_SESSION],
    ["session events", MAX_PER_PROCESS],
  ]);
  try {
    const account: AccountRef = session.principal;
    const until = AbortSignal.any([signal, ended.signal]);
    const events = await openEventStream(account, { after }, until);
    const isBehind = await mayHaveChanged(account, query.get("since"));
    const signOut = () => ended.abort("signed_out" satisfies StreamEnd);
    // Finds expired sessions and disabled users, which the watch doesn't.
    const check = async () => {
      if (!(await isSignedIn())) signOut();
    };
    const stopWatching = watchSession(session.id, signOut);
    let requests = 0;
    const stopCounting = watchRequests(session.principal.userId, () => {
      requests += 1;
    });
    const leave = () => {
      stopWatching();
      stopCounting();
      ended.abort();
      release();
    };
    const beating = addBeats(events, () => ({ requests }));
    return checkWhileOpen(isBehind ? startBehind(beating) : beating, check, leave);
  } catch (error) {
    release();
    throw error;
  }
}

/** Whether the account has an event that figures of this time may lack. Asked after the stream has its start. */
async function mayHaveChanged(account: AccountRef, since: string | null): Promise<boolean> {
  if (since === null) return false;
  const newest = await selectNewestTime(await getDb(), account);
  return newest !== null && newest.getTime() > Number(since) - COMMITTED_WITHIN_MS;
}

async function* startBehind(events: AsyncGenerator<ServerEvent>): AsyncGenerator<ServerEvent> {
  yield { event: "behind", data: {} };
  yield* events;
}

async function* checkWhileOpen(
  events: AsyncGenerator<ServerEvent>,
  check: () => Promise<void>,
  leave: () => void,
): AsyncGenerator<ServerEvent> {
  // A failed check is repeated; the pages' own reads need the session, too.
  const timer = setInterval(() => void check().catch(() => undefined), SESSION_CHECK_MS);
  timer.unref();
  try {
    yield* events;
  } finally {
    clearInterval(timer);
    leave();
  }
}

/** The data of a beat. */
interface Beat {
  /** How often API requests were added to the log since the stream was opened. */
  requests: number;
}

/** Adds an event "beat" every second, on time even while the next event is awaited. */
export async function* addBeats(
  events: AsyncGenerator<ServerEvent>,
  readBeat: () => Beat,
): AsyncGenerator<ServerEvent> {
  let beatAt = performance.now() + BEAT_MS;
  let next = events.next();
  for (;;) {
    const result = await waitUntil(beatAt, next);
    if (result === null) {
      // EventSource hides comments from the page, so a beat is an event.
      yield { event: "beat", data: readBeat() };
      beatAt = performance.now() + BEAT_MS;
    } else if (result.done) {
      return;
    } else {
      yield result.value;
      next = events.next();
    }
  }
}

/** Returns the promise's value, or null at the time if the promise is pending then. */
async function waitUntil<T>(time: number, promise: Promise<T>): Promise<T | null> {
  const leftMs = time - performance.now();
  if (leftMs <= 0) return null;
  let timer: NodeJS.Timeout | undefined;
  const isDue = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), leftMs);
  });
  try {
    return await Promise.race([promise, isDue]);
  } finally {
    clearTimeout(timer);
  }
}
