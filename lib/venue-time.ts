import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";

interface ReadTimes {
  /** When the oldest of the venue's figures was read; null before the first. */
  oldest: number | null;
}

const contexts = new AsyncLocalStorage<ReadTimes>();

/** Runs `work`, and returns its value with the time of the oldest venue data that it used. */
export async function withVenueTime<T>(
  work: () => Promise<T> | T,
): Promise<{ value: T; readAt: number | null }> {
  const times: ReadTimes = { oldest: null };
  const value = await contexts.run(times, async () => work());
  return { value, readAt: times.oldest };
}

/** Records that the current request uses venue data of this time, in milliseconds since the epoch. */
export function noteVenueTime(at: number): void {
  const times = contexts.getStore();
  if (times) times.oldest = Math.min(at, times.oldest ?? at);
}
