import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectApiKeysById } from "@/lib/db/queries/api-keys";
import { errorFields, log } from "@/lib/log";

/** A stream ends at the latest this long after its key, and the time of a query. */
const CHECK_EVERY_MS = 2_500;

interface WatchedKey {
  keyId: string;
  onEnd: () => void;
}

const watched = new Set<WatchedKey>();
let timer: NodeJS.Timeout | null = null;

/**
 * Calls `onEnd` when a key is revoked or expires, or its owner's account is disabled. One query checks
 * the keys of all streams of the process.
 *
 * @returns stops watching.
 */
export function watchKey(keyId: string, onEnd: () => void): () => void {
  const entry = { keyId, onEnd };
  watched.add(entry);
  timer ??= setInterval(() => void checkKeys(), CHECK_EVERY_MS).unref();
  return () => {
    watched.delete(entry);
    if (watched.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

async function checkKeys(): Promise<void> {
  try {
    const entries = [...watched];
    const found = await selectApiKeysById(await getDb(), [
      ...new Set(entries.map(({ keyId }) => keyId)),
    ]);
    const usable = new Set(
      found
        .filter(({ key, userStatus }) => {
          const isExpired = key.expiresAt !== null && key.expiresAt.getTime() <= now();
          return key.revokedAt === null && !isExpired && userStatus === "active";
        })
        .map(({ key }) => key.id),
    );
    for (const { keyId, onEnd } of entries) if (!usable.has(keyId)) onEnd();
  } catch (error) {
    // The next check repeats it.
    log.warn("keys of streams not checked", errorFields(error));
  }
}
