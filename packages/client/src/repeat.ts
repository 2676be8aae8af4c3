// Repeats attempts until one settles the request, or the time is up.
import { type Reply, type Request, sendOnce, type Server } from "./transport.ts";

export interface Patience {
  /** How long an attempt may take. */
  attemptTimeoutMs: number;
  /** How long all attempts may take together. */
  deadlineMs: number;
  /** The pause after the first attempt. Each further pause is twice as long, up to 5 seconds. */
  firstPauseMs: number;
}

export interface CallOptions {
  /** Ends the call. A write that was sent then throws `OutcomeUnknown`. */
  signal?: AbortSignal | undefined;
  /** How long all attempts may take together, in milliseconds. */
  deadlineMs?: number | undefined;
}

/** How the attempts ended. */
export interface Ended {
  /** The last one. */
  reply: Reply;
  attempts: number;
  /** Whether an attempt without a known outcome may have been executed: one before a settled reply. */
  wasAmbiguous: boolean;
}

const MAX_PAUSE_MS = 5_000;
/** Statuses of proxies and of servers that are busy; Ante itself returns only 429 of them. */
const TRY_AGAIN = new Set([409, 425, 429]);

/** Whether the same request can get another response soon. */
export function isTemporary(reply: Reply): boolean {
  if (reply.kind === "success") return false;
  return reply.kind === "none" || reply.error.status >= 500 || TRY_AGAIN.has(reply.error.status);
}

/** Whether the response proves that its attempt had no effect: the rate limit comes before everything else. */
export function hadNoEffect(reply: Reply): boolean {
  return reply.kind === "failure" && reply.error.code === "RATE_LIMITED";
}

/**
 * Sends a request until `isSettled` accepts a reply or the deadline passes. It waits as long as Retry-After
 * says, and ends at once if that is after the deadline.
 *
 * @param make makes the request of an attempt, counted from 1.
 * @throws the reason of the caller's signal.
 */
export async function repeat(
  server: Server,
  make: (attempt: number) => Request,
  isSettled: (reply: Reply, wasAmbiguous: boolean) => boolean,
  {
    attemptTimeoutMs,
    deadlineMs,
    firstPauseMs,
    signal,
  }: Patience & { signal?: AbortSignal | undefined },
): Promise<Ended> {
  const deadline = performance.now() + deadlineMs;
  let wasAmbiguous = false;
  for (let attempts = 1; ; attempts += 1) {
    const left = Math.max(1, deadline - performance.now());
    const timeoutMs = Math.min(attemptTimeoutMs, left);
    const reply = await sendOnce(server, make(attempts), { timeoutMs, signal });
    if (isSettled(reply, wasAmbiguous)) return { reply, attempts, wasAmbiguous };
    if (!hadNoEffect(reply)) wasAmbiguous = true;
    const pauseMs = computePause(reply, attempts, firstPauseMs);
    if (performance.now() + pauseMs >= deadline) return { reply, attempts, wasAmbiguous };
    await pause(pauseMs, signal);
  }
}

/** Half of the pause is random, so that many clients don't come back together. */
export function computePause(reply: Reply, attempts: number, firstPauseMs: number): number {
  const asked = reply.kind === "failure" ? (reply.error.retryAfterSeconds ?? 0) * 1_000 : 0;
  const own = Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** (attempts - 1));
  return Math.max(asked, own / 2 + (own / 2) * Math.random());
}

/** Waits. Throws the reason of the signal as soon as it is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", leave, { once: true });
  });
}
