import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { now } from "@/lib/clock";
import { AppError, type ErrorCode } from "@/lib/errors";

/** Why some of what is shown is old, or is not there. */
export interface Silence {
  /** When the oldest of it was read, in milliseconds since the epoch; null when not all of it was. */
  since: number | null;
  code: ErrorCode;
  message: string;
}

/** What could be read for showing it, and what kept it from being read anew. */
export type Shown<T> =
  { isKnown: true; value: T; silence: Silence | null } | { isKnown: false; silence: Silence };

interface LastKnown<T> {
  value: T;
  /** When it was read; null when not all of it ever was. */
  at: number | null;
}

interface Show {
  silence: Silence | null;
}

/** Nobody waits longer than this for what is known already, if only from before. */
const PATIENCE_MS = 2_000;

const shows = new AsyncLocalStorage<Show | undefined>();

/**
 * Reads what a page shows. While the venue does not answer, what was known of it last stands in,
 * and the silence is told; what nobody ever knew is not there. Whatever acts, and the interface,
 * read outside of this: there a failure is a failure.
 */
export async function showing<T>(read: () => Promise<T>): Promise<Shown<T>> {
  const show: Show = { silence: null };
  try {
    const value = await shows.run(show, read);
    return { isKnown: true, value, silence: show.silence };
  } catch (error) {
    if (!isSilence(error)) throw error;
    return { isKnown: false, silence: toSilence(error, null) };
  }
}

/** From when what is shown is; 0 when some of it never was read. */
export const shownAt = (silence: Silence | null): number =>
  silence ? (silence.since ?? 0) : now();

/** Whether what is read now is only shown, where old knowledge is better than none. */
export const isShowing = () => shows.getStore() !== undefined;

/** Does what others rely on as well: a failure in it is one, even on behalf of a page. */
export const notShowing = <T>(work: () => Promise<T>): Promise<T> => shows.run(undefined, work);

/** What is loaded; within `showing` what was known last, where that fails or takes long. */
export async function orLastKnown<T>(
  load: () => Promise<T>,
  findLast: () => LastKnown<T> | null,
): Promise<T> {
  const show = shows.getStore();
  if (!show) return load();
  // What others will find in a cache must be as fresh as they expect.
  const loading = notShowing(load);
  const last = findLast();
  if (!last) return loading;
  try {
    return await within(patienceFor(last, show), loading);
  } catch (error) {
    if (!isSilence(error)) throw error;
    show.silence = merge(show.silence, toSilence(error, last.at));
    return last.value;
  }
}

/** As `orLastKnown`, where our own records say something of what the venue never told us. */
export async function orFromRecord<T>(
  read: () => Promise<T>,
  findRecorded: () => Promise<T | null>,
): Promise<T> {
  const show = shows.getStore();
  if (!show) return read();
  try {
    return await read();
  } catch (error) {
    if (!isSilence(error)) throw error;
    const recorded = await findRecorded();
    if (recorded === null) throw error;
    show.silence = merge(show.silence, toSilence(error, null));
    return recorded;
  }
}

/** Null for as long as it takes: what is not known is worth waiting for. */
function patienceFor({ at }: LastKnown<unknown>, { silence }: Show): number | null {
  // Who was not answered once does not wait for the next answer.
  if (silence) return 0;
  return at === null || at >= now() ? null : PATIENCE_MS;
}

async function within<T>(ms: number | null, loading: Promise<T>): Promise<T> {
  if (ms === null) return loading;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), ms);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
    loading.catch(() => undefined);
  }
}

const tooLate = () =>
  new AppError("UPSTREAM_TIMEOUT", "the venue did not answer in time; try again");

/** Nobody to sign what we ask with, and nobody there to ask for. */
const CANNOT_ASK = ["SIGNER_UNAVAILABLE", "WALLET_NOT_FOUND"];

/** Failures of those whom we ask. Ours are no silence. */
function isSilence(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  return error.code.startsWith("UPSTREAM_") || CANNOT_ASK.includes(error.code);
}

const toSilence = ({ code, message }: AppError, since: number | null): Silence => ({
  since,
  code,
  message,
});

/** The first reason, and the oldest of what is shown. */
export function merge(one: Silence | null, other: Silence): Silence;
export function merge(one: Silence | null, other: Silence | null): Silence | null;
export function merge(one: Silence | null, other: Silence | null): Silence | null {
  if (!one || !other) return one ?? other;
  const since =
    one.since === null || other.since === null ? null : Math.min(one.since, other.since);
  return { ...one, since };
}
