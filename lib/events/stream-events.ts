import "server-only";
import type { z } from "zod";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import type { AccountEventType } from "@/lib/domain/account-events";
import { AppError } from "@/lib/errors";
import { findRange, readEvents, readHead } from "@/lib/events/read-events";
import { headWatch } from "@/lib/events/watch-heads";
import { errorFields, log } from "@/lib/log";
import { getEncoder } from "@/lib/schemas/encoder";
import { AccountEvent, STREAM_ENDS, type StreamEnd, type StreamEnded } from "@/lib/schemas/events";
import { RECONNECT, type ServerEvent, writeServerEvent } from "@/lib/server-events";

/** The most events that are read at once. */
const BATCH = 200;
/** How often a comment names the head, so that a reader can tell a quiet log from a broken stream. */
const HEAD_EVERY_MS = 15_000;
/** The pause after a read that failed, because the database restarts for example. */
const RETRY_MS = 500;

/** Returns the event that ends a stream, from the reason of its signal; null if the reader left. */
export function buildEnd(reason: unknown): ServerEvent | null {
  if (typeof reason !== "string" || !Object.hasOwn(STREAM_ENDS, reason)) return null;
  const end = reason as StreamEnd;
  const data: z.output<typeof StreamEnded> = { reason: end, message: STREAM_ENDS[end] };
  return { event: "end", data };
}

export interface EventStreamQuery {
  /** The number of the last event that the reader has; undefined to start with the next one. */
  after?: number | undefined;
  types?: readonly AccountEventType[] | undefined;
}

/**
 * Streams an account's events after a number, and then each new one, until the signal is aborted. Its
 * reason, a StreamEnd, is told to the reader.
 *
 * @throws INVALID_CURSOR before the first event, for a number beyond the head or of another epoch.
 */
export async function openEventStream(
  account: AccountRef,
  { after, types }: EventStreamQuery,
  signal: AbortSignal,
): Promise<AsyncGenerator<ServerEvent>> {
  const range = await findRange(account, { after });
  const start = after === undefined ? range.head.lastSeq : range.after;
  return followLog({ account, start, head: range.head.lastSeq, types, signal });
}

/** Parses the id of an event, which is its number. Throws INVALID_CURSOR. */
export function parseEventId(text: string): number {
  if (/^(0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  throw new AppError("INVALID_CURSOR", "Last-Event-ID: must be the number of an event.");
}

interface Following {
  account: AccountRef;
  start: number;
  head: number;
  types: readonly AccountEventType[] | undefined;
  signal: AbortSignal;
}

async function* followLog({
  account,
  start,
  head,
  types,
  signal,
}: Following): AsyncGenerator<ServerEvent> {
  /** The last number that was looked at, and the last that was sent; a filter leaves out some. */
  let [cursor, sent] = [start, start];
  yield RECONNECT;
  yield { comment: `head ${head}` };
  let headDue = performance.now() + HEAD_EVERY_MS;
  while (!signal.aborted) {
    const found = await readSharedBatch(account, { cursor, sent, types });
    if (found.lines !== "") yield { lines: found.lines };
    [cursor, sent] = [found.cursor, found.sent];
    if (performance.now() >= headDue) {
      yield { comment: `head ${cursor}` };
      headDue = performance.now() + HEAD_EVERY_MS;
    }
    const timeoutMs = Math.max(0, headDue - performance.now());
    if (found.hasFailed) await headWatch().wait(account, Infinity, { timeoutMs: RETRY_MS, signal });
    else if (!found.isFull) await headWatch().wait(account, cursor, { timeoutMs, signal });
  }
  const end = buildEnd(signal.reason);
  if (end) yield end;
}

interface Batch {
  /** The events in the format of the stream. */
  lines: string;
  cursor: number;
  sent: number;
  /** More events may follow at once. */
  isFull: boolean;
  hasFailed: boolean;
}

interface Place {
  cursor: number;
  sent: number;
  types: readonly AccountEventType[] | undefined;
}

const reading = new Map<string, Promise<Batch>>();

/** Reads the next events once for all streams that are at the same place. */
function readSharedBatch(account: AccountRef, place: Place): Promise<Batch> {
  const { cursor, sent, types } = place;
  const key = [account.userId, account.mode, cursor, sent, types?.join(",") ?? ""].join("/");
  const running = reading.get(key);
  if (running) return running;
  const started = readBatch(account, place).finally(() => reading.delete(key));
  reading.set(key, started);
  return started;
}

async function readBatch(account: AccountRef, { cursor, sent, types }: Place): Promise<Batch> {
  try {
    const db = await getDb();
    // Read before the events: a filter finds nothing up to this number that was not committed.
    const head = await readHead(account);
    const selection = { after: cursor, types, limit: BATCH };
    const events = await readEvents(db, account, selection, sent);
    const isFull = events.length === BATCH;
    const last = events.at(-1)?.seq ?? sent;
    return {
      lines: events.map(toLine).join(""),
      cursor: isFull ? last : Math.max(cursor, head, last),
      sent: last,
      isFull,
      hasFailed: false,
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.warn("events not read", { userId: account.userId, ...errorFields(error) });
    return { lines: "", cursor, sent, isFull: false, hasFailed: true };
  }
}

function toLine(event: AccountEvent): string {
  const data = getEncoder(AccountEvent)(event);
  return writeServerEvent({ id: event.seq, event: event.type, data });
}
