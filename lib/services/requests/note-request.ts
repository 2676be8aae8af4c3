import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  type ApiRequestRow,
  deleteApiRequestsBefore,
  insertApiRequests,
  trimApiRequests,
} from "@/lib/db/queries/api-requests";
import { errorFields, log } from "@/lib/log";

const WRITE_EVERY_MS = 1_000;
/** Few enough that nothing waits long behind them. */
const BATCH_SIZE = 50;
/**
 * What a user calls beyond this is left out, as the log must not cost more than the calls do: so
 * many at once, and then so many a second. The limits on requests, unless the operator changed them,
 * let no key make more.
 */
const MAX_AT_ONCE = 300;
const MAX_PER_SECOND = 70;
/** More than this waiting means that the database cannot keep up: the rest is dropped. */
const MAX_WAITING = 2_000;

/** How much of a user's log is kept. */
export const KEPT_REQUESTS = 10_000;
export const KEPT_DAYS = 7;
const DAY_MS = 24 * 3600 * 1000;
/** A user's log is cut back after so many new calls, and the old ones go once an hour. */
const TRIM_AFTER = 1_000;
const PURGE_EVERY_MS = 3600 * 1000;

interface RequestLog {
  waiting: ApiRequestRow[];
  /** Calls of each user that were noted at once, and not yet made up for by time. */
  noted: Map<string, number>;
  /** Calls written since each user's log was last cut back. */
  written: Map<string, number>;
  purgedAt: number;
  underWay: Promise<void>;
  flush: () => Promise<void>;
}

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.request-log");
const holder = globalThis as typeof globalThis & { [HOLDER]?: RequestLog | undefined };

/**
 * Notes a call to the interface for its owner to look at. It costs the call nothing: notes are
 * written in batches, behind its back, and a batch that cannot be written is dropped.
 */
export function noteRequest(entry: ApiRequestRow): void {
  const requests = holder[HOLDER];
  if (!requests || requests.waiting.length >= MAX_WAITING) return;
  const noted = requests.noted.get(entry.userId) ?? 0;
  if (noted >= MAX_AT_ONCE) return;
  requests.noted.set(entry.userId, noted + 1);
  requests.waiting.push(entry);
  if (requests.waiting.length === BATCH_SIZE) void requests.flush();
}

/**
 * Begins to keep the log. Until then, notes are not taken.
 *
 * @returns a function that writes what is left and ends it.
 */
export function startRequestLog(): () => Promise<void> {
  const requests: RequestLog = {
    waiting: [],
    noted: new Map(),
    written: new Map(),
    purgedAt: now(),
    underWay: Promise.resolve(),
    flush: () => {
      requests.underWay = requests.underWay.then(() => write(requests));
      return requests.underWay;
    },
  };
  holder[HOLDER] = requests;
  const timer = setInterval(() => {
    for (const [userId, noted] of requests.noted) {
      if (noted > MAX_PER_SECOND) requests.noted.set(userId, noted - MAX_PER_SECOND);
      else requests.noted.delete(userId);
    }
    void requests.flush();
  }, WRITE_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if (holder[HOLDER] === requests) holder[HOLDER] = undefined;
    await requests.flush();
  };
}

async function write(requests: RequestLog): Promise<void> {
  const batch = requests.waiting.splice(0);
  try {
    if (batch.length > 0) await insertApiRequests(await getDb(), batch);
    for (const { userId } of batch) {
      requests.written.set(userId, (requests.written.get(userId) ?? 0) + 1);
    }
    await forget(requests);
  } catch (error) {
    log.warn("requests not noted", { count: batch.length, ...errorFields(error) });
  }
}

async function forget(requests: RequestLog): Promise<void> {
  for (const [userId, count] of requests.written) {
    if (count < TRIM_AFTER) continue;
    requests.written.delete(userId);
    await trimApiRequests(await getDb(), userId, KEPT_REQUESTS);
  }
  if (now() - requests.purgedAt < PURGE_EVERY_MS) return;
  requests.purgedAt = now();
  await deleteApiRequestsBefore(await getDb(), new Date(now() - KEPT_DAYS * DAY_MS));
}
