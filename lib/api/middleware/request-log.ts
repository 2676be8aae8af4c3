import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { findOperation } from "@/lib/api/gate/find-operation";
import { now } from "@/lib/clock";
import { cutPage, decodeTimeCursor, decodeTimePosition, encodeTimeCursor } from "@/lib/cursor";
import { getDb } from "@/lib/db/client";
import {
  type ApiRequestFilter,
  type ApiRequestRow,
  deleteApiRequestsBefore,
  insertApiRequests,
  selectApiRequestRuns,
  selectApiRequests,
  trimApiRequests,
} from "@/lib/db/queries/api-requests";
import { ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { type Placement, readPlacements } from "@/lib/orders/read-placements";
import type { ApiRequest, ApiRequestList, ApiRequestRuns } from "@/lib/schemas/key-views";

const WRITE_EVERY_MS = 1_000;
const WATCHED_WRITE_MS = 200;
/** Rows per insert: few enough that no other statement waits long. */
const BATCH_SIZE = 50;
/**
 * Requests of a user beyond this burst and rate are left out, so that the log never costs more than
 * the requests. With the default rate limits, no key can make more.
 */
const MAX_AT_ONCE = 300;
const MAX_PER_SECOND = 70;
/** With more rows waiting, the database cannot keep up, and further requests are dropped. */
const MAX_WAITING = 2_000;

/** The log keeps this many requests per user, for this long. */
export const KEPT_REQUESTS = 10_000;
export const KEPT_DAYS = 7;
const DAY_MS = 24 * 3600 * 1000;
/** A user's log is trimmed after this many new requests; old requests are deleted once an hour. */
const TRIM_AFTER = 1_000;
const PURGE_EVERY_MS = 3600 * 1000;

interface RequestLog {
  waiting: ApiRequestRow[];
  /** Recorded requests by user, less what the rate has allowed since. */
  recorded: Map<string, number>;
  /** Requests written by user since that user's log was last trimmed. */
  written: Map<string, number>;
  /** The browsers that watch the log, by user. */
  watchers: Map<string, Set<() => void>>;
  /** The next write, if it is earlier than the usual one. */
  soon: NodeJS.Timeout | undefined;
  purgedAt: number;
  underWay: Promise<void>;
  flush: () => Promise<void>;
}

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.request-log");
const holder = globalThis as typeof globalThis & { [HOLDER]?: RequestLog | undefined };

/**
 * Records a request for the log of the key's owner. Requests are written in batches in the
 * background, and a batch that cannot be written is dropped.
 */
export function recordRequest(entry: ApiRequestRow): void {
  const requests = holder[HOLDER];
  if (!requests || requests.waiting.length >= MAX_WAITING) return;
  const recorded = requests.recorded.get(entry.userId) ?? 0;
  if (recorded >= MAX_AT_ONCE) return;
  requests.recorded.set(entry.userId, recorded + 1);
  requests.waiting.push(entry);
  if (requests.waiting.length === BATCH_SIZE) void requests.flush();
  else if (requests.watchers.has(entry.userId)) {
    requests.soon ??= setTimeout(() => void requests.flush(), WATCHED_WRITE_MS).unref();
  }
}

/**
 * Calls `onWritten` after new requests of the user were written by this process. While somebody watches, they
 * are written sooner.
 *
 * @returns a function that stops watching.
 */
export function watchRequests(userId: string, onWritten: () => void): () => void {
  const watchers = holder[HOLDER]?.watchers;
  if (!watchers) return () => undefined;
  const own = watchers.get(userId) ?? new Set();
  watchers.set(userId, own.add(onWritten));
  return () => {
    own.delete(onWritten);
    if (own.size === 0 && watchers.get(userId) === own) watchers.delete(userId);
  };
}

/**
 * Starts the log. Before that, no request is recorded.
 *
 * @returns a function that writes the waiting requests and stops the log.
 */
export function startRequestLog(): () => Promise<void> {
  const requests: RequestLog = {
    waiting: [],
    recorded: new Map(),
    written: new Map(),
    watchers: new Map(),
    soon: undefined,
    purgedAt: now(),
    underWay: Promise.resolve(),
    flush: () => {
      requests.underWay = requests.underWay.then(() => write(requests));
      return requests.underWay;
    },
  };
  holder[HOLDER] = requests;
  const timer = setInterval(() => {
    for (const [userId, recorded] of requests.recorded) {
      if (recorded > MAX_PER_SECOND) requests.recorded.set(userId, recorded - MAX_PER_SECOND);
      else requests.recorded.delete(userId);
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
  clearTimeout(requests.soon);
  requests.soon = undefined;
  try {
    if (batch.length > 0) await insertApiRequests(await getDb(), batch);
    for (const { userId } of batch) {
      requests.written.set(userId, (requests.written.get(userId) ?? 0) + 1);
    }
    for (const userId of new Set(batch.map((row) => row.userId))) {
      for (const onWritten of requests.watchers.get(userId) ?? []) onWritten();
    }
    await deleteOld(requests);
  } catch (error) {
    log.warn("requests not recorded", { count: batch.length, ...errorFields(error) });
  }
}

async function deleteOld(requests: RequestLog): Promise<void> {
  for (const [userId, count] of requests.written) {
    if (count < TRIM_AFTER) continue;
    requests.written.delete(userId);
    await trimApiRequests(await getDb(), userId, KEPT_REQUESTS);
  }
  if (now() - requests.purgedAt < PURGE_EVERY_MS) return;
  requests.purgedAt = now();
  await deleteApiRequestsBefore(await getDb(), new Date(now() - KEPT_DAYS * DAY_MS));
}

const LIST = "requests";
const PAGE_SIZE = 50;

export interface RequestsQuery extends Pick<
  ApiRequestFilter,
  "id" | "keyId" | "path" | "statusClass"
> {
  nextCursor?: string | undefined;
}

/**
 * Lists the recorded requests of the account, newest first.
 *
 * @param query `run` is the key of a run, which `listRequestRuns` returns for the same filters.
 */
export async function listRequests(
  principal: Principal,
  { nextCursor: cursor, run, ...filter }: RequestsQuery & { run?: string | undefined },
): Promise<z.output<typeof ApiRequestList>> {
  const found = await selectApiRequests(
    await getDb(),
    { ...filter, userId: principal.userId, run: decodeRun(run) },
    decodeTimeCursor(LIST, cursor),
    PAGE_SIZE + 1,
  );
  const { rows, nextCursor } = cutPage(found, PAGE_SIZE, (row) => encodeTimeCursor(LIST, row));
  const placements = await readPlacements(principal, listOrderIds(rows));
  return { requests: rows.map((row) => toView(row, placements)), nextCursor };
}

/** Decodes the key of a run: the positions of its newest and its oldest request. Throws INVALID_CURSOR. */
function decodeRun(run: string | undefined): ApiRequestFilter["run"] {
  if (run === undefined) return undefined;
  const [newest = "", oldest = ""] = run.split(".");
  return { newest: decodeTimePosition(LIST, newest), oldest: decodeTimePosition(LIST, oldest) };
}

/** Lists the recorded requests of the account, newest first, with consecutive equal ones as one run. */
export async function listRequestRuns(
  principal: Principal,
  { nextCursor: cursor, ...filter }: RequestsQuery,
): Promise<z.output<typeof ApiRequestRuns>> {
  const found = await selectApiRequestRuns(
    await getDb(),
    { ...filter, userId: principal.userId },
    decodeTimeCursor(LIST, cursor),
    PAGE_SIZE + 1,
  );
  const encode = (row: ApiRequestRow) => encodeTimeCursor(LIST, row);
  const { rows, nextCursor } = cutPage(found, PAGE_SIZE, ({ oldest }) => encode(oldest));
  const newest = rows.map((run) => run.newest);
  const placements = await readPlacements(principal, listOrderIds(newest));
  const runs = rows.map(({ newest: row, oldest, ...run }) => ({
    ...run,
    newest: toView(row, placements),
    oldestId: oldest.id,
    firstAt: oldest.createdAt,
    key: `${encode(row)}.${encode(oldest)}`,
  }));
  return { runs, nextCursor };
}

/** A request in the log with what its order's record knows of it. */
export interface RequestDetails {
  request: z.output<typeof ApiRequest>;
  placement: Placement | null;
}

/** Returns a recorded request of the account; null if there is none, or it is another user's. */
export async function findRequest(
  principal: Principal,
  id: string,
): Promise<RequestDetails | null> {
  const filter = { userId: principal.userId, id };
  const [row] = await selectApiRequests(await getDb(), filter, null, 1);
  if (!row) return null;
  const placements = await readPlacements(principal, listOrderIds([row]));
  return {
    request: toView(row, placements),
    placement: placements.get(row.orderId ?? "") ?? null,
  };
}

const listOrderIds = (rows: readonly ApiRequestRow[]) =>
  rows.flatMap(({ orderId }) => orderId ?? []);

function toView(
  row: ApiRequestRow,
  placements: ReadonlyMap<string, Placement>,
): z.output<typeof ApiRequest> {
  const operation = findOperation(row.method, row.path)?.operation;
  return {
    id: row.id,
    keyId: row.keyId,
    method: row.method,
    path: row.path,
    status: row.status,
    errorCode: isErrorCode(row.errorCode) ? row.errorCode : null,
    message: row.message,
    durationMs: row.durationMs,
    orderId: row.orderId,
    hasBody: operation !== undefined && operation.body !== null,
    takesQuery: operation !== undefined && Object.keys(operation.query.shape).length > 0,
    body: placements.get(row.orderId ?? "")?.body ?? null,
    createdAt: row.createdAt,
  };
}

function isErrorCode(code: string | null): code is ErrorCode {
  return code !== null && Object.hasOwn(ERROR_STATUS, code);
}
