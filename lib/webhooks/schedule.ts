import "server-only";

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/**
 * The pause before each attempt: ten within about three days. The first ones are short, because an
 * ordered endpoint waits for each event, and most receivers that fail are back within seconds.
 */
export const PAUSES_MS = [
  0,
  SECOND,
  5 * SECOND,
  20 * SECOND,
  2 * MINUTE,
  20 * MINUTE,
  3 * HOUR,
  10 * HOUR,
  24 * HOUR,
  36 * HOUR,
] as const;

/** The pause after them: a fifth day of failures disables the endpoint on time. */
const LATER_PAUSE_MS = 12 * HOUR;

export const MAX_ATTEMPTS = PAUSES_MS.length;
/** Pauses differ by up to this part, so that the deliveries of an outage do not come back together. */
const JITTER = 0.1;

/**
 * Returns the pause before the next attempt. An ordered endpoint has more than MAX_ATTEMPTS.
 *
 * @param failed the number of attempts so far.
 * @param options.retryAfterMs how long the receiver asks to wait, which counts if it is longer.
 */
export function computeDelay(
  failed: number,
  { retryAfterMs, random = Math.random }: { retryAfterMs: number | null; random?: () => number },
): number {
  const pause = PAUSES_MS[failed] ?? LATER_PAUSE_MS;
  const jittered = pause * (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.max(jittered, retryAfterMs ?? 0));
}
