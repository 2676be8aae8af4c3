"use client";

import useSWR from "swr";
import { fetchData } from "@/lib/client/fetcher";
import { type Dataset, REFRESH, refreshing, SLOW_FACTOR } from "@/lib/client/refresh";

/** What the server rendered, and when it did. */
export interface Initial<T> {
  data: T;
  /** Milliseconds since the epoch; 0 when not all of it was ever true. */
  at: number;
  /** The page says already that this is not of now. */
  isMarked?: boolean;
}

export interface Live<T> {
  data: T;
  /** When the data was true, in milliseconds since the epoch. */
  at: number;
  isMarked?: boolean;
  /** Why the last read failed; null when it did not. */
  error: Error | null;
  refresh: () => Promise<unknown>;
}

/**
 * A read that starts from what the server rendered and is brought up to date as its dataset asks.
 *
 * @param pace how often: as the dataset says, five times slower, or not at all.
 */
export function useLive<T>(
  dataset: Dataset,
  url: string,
  initial: Initial<T>,
  pace: "live" | "slow" | "paused" = "live",
): Live<T> {
  const everyMs = { live: 1, slow: SLOW_FACTOR, paused: 0 }[pace] * REFRESH[dataset].everyMs;
  const { data, error, mutate } = useSWR<Initial<T>, Error>(url, readStamped, {
    ...refreshing(dataset, initial),
    refreshInterval: everyMs,
  });
  // A page that was opened again has a newer value than the one its last visit left behind.
  const newest = data && data.at > initial.at ? data : initial;
  return { ...newest, error: error ?? null, refresh: () => mutate() };
}

/** A value and its time are kept together, so that whoever shows the one knows the other. */
async function readStamped<T>(url: string): Promise<Initial<T>> {
  return { data: await fetchData<T>(url), at: Date.now() };
}
