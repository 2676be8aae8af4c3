"use client";

import { useState } from "react";
import useSWR from "swr";
import { fetchData } from "@/lib/client/fetcher";
import { type Dataset, REFRESH, refreshing, SLOW_FACTOR } from "@/lib/client/refresh";

/** What the server rendered, and when it did. */
export interface Initial<T> {
  data: T;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface Live<T> {
  data: T;
  /** When the data was true, in milliseconds since the epoch. */
  at: number;
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
  const [at, setAt] = useState(initial.at);
  const everyMs = { live: 1, slow: SLOW_FACTOR, paused: 0 }[pace] * REFRESH[dataset].everyMs;
  const { data, error, mutate } = useSWR<T, Error>(url, fetchData, {
    ...refreshing(dataset, initial.data),
    refreshInterval: everyMs,
    onSuccess: () => setAt(Date.now()),
  });
  return { data: data ?? initial.data, at, error: error ?? null, refresh: () => mutate() };
}
