import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { now } from "@/lib/clock";
import { AppError, type ErrorCode } from "@/lib/errors";

/** The reason why data is stale or missing. */
export interface VenueOutage {
  /** When the oldest part was read, in milliseconds since the epoch; null if a part was never read. */
  since: number | null;
  code: ErrorCode;
  message: string;
}

/** The result of a read for a page. `outage` is null if the data is fresh. */
export type MaybeStale<T> =
  { isKnown: true; value: T; outage: VenueOutage | null } | { isKnown: false; outage: VenueOutage };

interface LastKnown<T> {
  value: T;
  /** When the value was read; null if a part was never read. */
  at: number | null;
}

interface ReadContext {
  outage: VenueOutage | null;
}

/** A page waits this long for a fresh value when it has a stale one. */
const MAX_WAIT_MS = 2_000;

const contexts = new AsyncLocalStorage<ReadContext | undefined>();

/**
 * Reads the data of a page. During a venue outage, `staleIfError` and `recordIfError` fall back to
 * older data inside of `read`, and the result names the outage. Without older data, the result is
 * unknown. Actions and the API do not use this function: their reads fail during an outage.
 */
export async function withStaleReads<T>(read: () => Promise<T>): Promise<MaybeStale<T>> {
  const context: ReadContext = { outage: null };
  try {
    const value = await contexts.run(context, read);
    return { isKnown: true, value, outage: context.outage };
  } catch (error) {
    if (!isOutage(error)) throw error;
    return { isKnown: false, outage: toOutage(error, null) };
  }
}

/** The time of the data that a page shows; 0 if a part of it was never read. */
export const getDataTime = (outage: VenueOutage | null): number =>
  outage ? (outage.since ?? 0) : now();

/** Whether the code runs inside of `withStaleReads`. */
export const allowsStaleReads = () => contexts.getStore() !== undefined;

/** Runs shared work outside of `withStaleReads`, so that it fails instead of returning stale data. */
export const withoutStaleReads = <T>(work: () => Promise<T>): Promise<T> =>
  allowsStaleReads() ? contexts.run(undefined, work) : work();

/**
 * Loads a value. Inside of `withStaleReads`, returns the last known value when the load fails or is
 * slow.
 */
export async function staleIfError<T>(
  load: () => Promise<T>,
  findLast: () => LastKnown<T> | null,
): Promise<T> {
  const context = contexts.getStore();
  if (!context) return load();
  // The load may fill a shared cache, which must not receive stale values.
  const loading = withoutStaleReads(load);
  const last = findLast();
  if (!last) return loading;
  try {
    return await within(computeMaxWait(last, context), loading);
  } catch (error) {
    if (!isOutage(error)) throw error;
    context.outage = mergeOutages(context.outage, toOutage(error, last.at));
    return last.value;
  }
}

/** Like `staleIfError`, but falls back to what the database recorded. */
export async function recordIfError<T>(
  read: () => Promise<T>,
  findRecorded: () => Promise<T | null>,
): Promise<T> {
  const context = contexts.getStore();
  if (!context) return read();
  try {
    return await read();
  } catch (error) {
    if (!isOutage(error)) throw error;
    const recorded = await findRecorded();
    if (recorded === null) throw error;
    context.outage = mergeOutages(context.outage, toOutage(error, null));
    return recorded;
  }
}

/** How long to wait for a fresh value; null for no limit, if the last known value is incomplete. */
function computeMaxWait({ at }: LastKnown<unknown>, { outage }: ReadContext): number | null {
  // After one failed read, a page does not wait for the others.
  if (outage) return 0;
  return at === null || at >= now() ? null : MAX_WAIT_MS;
}

async function within<T>(ms: number | null, loading: Promise<T>): Promise<T> {
  if (ms === null) return loading;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createTimeout()), ms);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
    loading.catch(() => undefined);
  }
}

const createTimeout = () =>
  new AppError("UPSTREAM_TIMEOUT", "The venue did not respond in time. Try again.");

/** Errors that prevent a query: no signer, or no wallet to query. */
const CANNOT_QUERY = ["SIGNER_UNAVAILABLE", "WALLET_NOT_FOUND"];

/** Whether an error comes from a remote system. Ante's own failures are no outage. */
function isOutage(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  return error.code.startsWith("UPSTREAM_") || CANNOT_QUERY.includes(error.code);
}

const toOutage = ({ code, message }: AppError, since: number | null): VenueOutage => ({
  since,
  code,
  message,
});

/** Returns the first reason with the oldest time. */
export function mergeOutages(one: VenueOutage | null, other: VenueOutage): VenueOutage;
export function mergeOutages(
  one: VenueOutage | null,
  other: VenueOutage | null,
): VenueOutage | null;
export function mergeOutages(
  one: VenueOutage | null,
  other: VenueOutage | null,
): VenueOutage | null {
  if (!one || !other) return one ?? other;
  const since =
    one.since === null || other.since === null ? null : Math.min(one.since, other.since);
  return { ...one, since };
}
