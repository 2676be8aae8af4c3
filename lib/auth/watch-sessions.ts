import "server-only";
import { getDb } from "@/lib/db/client";
import { selectEndedSessions } from "@/lib/db/queries/sessions";
import { errorFields, log } from "@/lib/log";

const POLL_MS = 500;

const watched = new Map<string, Set<() => void>>();
let isPolling = false;

/**
 * Calls `onEnd` within a second after any process ended the session. One query per poll reads all watched
 * sessions, and nothing runs without them.
 *
 * @returns a function that stops watching.
 */
export function watchSession(sessionId: string, onEnd: () => void): () => void {
  const listeners = watched.get(sessionId) ?? new Set();
  watched.set(sessionId, listeners.add(onEnd));
  if (!isPolling) void poll();
  return () => {
    listeners.delete(onEnd);
    if (listeners.size === 0 && watched.get(sessionId) === listeners) watched.delete(sessionId);
  };
}

async function poll(): Promise<void> {
  isPolling = true;
  while (watched.size > 0) {
    try {
      const ended = await selectEndedSessions(await getDb(), [...watched.keys()]);
      for (const id of ended) for (const onEnd of watched.get(id) ?? []) onEnd();
    } catch (error) {
      log.warn("ended sessions not read", errorFields(error));
    }
    await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS).unref());
  }
  isPolling = false;
}
