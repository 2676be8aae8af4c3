import "server-only";
import type { AccountRef } from "@/lib/db/queries/mode";
import { openEventStream, parseEventId } from "@/lib/events/stream-events";
import type { StreamEnd } from "@/lib/schemas/events";
import type { StreamRequest } from "@/lib/markets/stream-market";
import { takeStreamSlots } from "@/lib/open-streams";
import type { ServerEvent } from "@/lib/server-events";

const SESSION_CHECK_MS = 30_000;
/** The number of tabs that one browser can follow its account in. */
const MAX_PER_SESSION = 12;
const MAX_PER_PROCESS = 1_000;

/** Streams the events of the account that a browser shows, until it signs out or leaves. */
export async function streamSessionEvents({
  session,
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
    const check = async () => {
      if (!(await isSignedIn())) ended.abort("signed_out" satisfies StreamEnd);
    };
    return checkWhileOpen(events, check, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function* checkWhileOpen(
  events: AsyncGenerator<ServerEvent>,
  check: () => Promise<void>,
  release: () => void,
): AsyncGenerator<ServerEvent> {
  // A failed check is repeated; the pages' own reads need the session, too.
  const timer = setInterval(() => void check().catch(() => undefined), SESSION_CHECK_MS);
  timer.unref();
  try {
    yield* events;
  } finally {
    clearInterval(timer);
    release();
  }
}
