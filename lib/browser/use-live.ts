"use client";

import useSWR from "swr";
import { fetchData } from "@/lib/browser/fetcher";
import { useReading } from "@/lib/browser/freshness";
import { type Dataset, REFRESH, createSwrOptions, SLOW_FACTOR } from "@/lib/browser/refresh";

/** The server-rendered value of a dataset. */
export interface Initial<T> {
  data: T;
  /** When the data was current, in milliseconds since the epoch; 0 if parts of it are missing. */
  at: number;
  /** Whether the page already says that the data is stale. */
  isMarked?: boolean;
}

export interface Live<T> {
  data: T;
  /** When the data was current, in milliseconds since the epoch. */
  at: number;
  isMarked?: boolean;
  /** The error of the last request; null if it succeeded. */
  error: Error | null;
  refresh: () => Promise<unknown>;
}

/**
 * Returns a dataset that starts with its server-rendered value and refreshes at the dataset's interval.
 * It counts toward the page's freshness.
 *
 * @param pace "live" uses the interval, "slow" five times the interval, "paused" doesn't refresh.
 */
export function useLive<T>(
  dataset: Dataset,
  url: string,
  initial: Initial<T>,
  pace: "live" | "slow" | "paused" = "live",
): Live<T> {
  const everyMs = { live: 1, slow: SLOW_FACTOR, paused: 0 }[pace] * REFRESH[dataset].everyMs;
  const { data, error, mutate } = useSWR<Initial<T>, Error>(url, fetchWithTime, {
    ...createSwrOptions(dataset, initial),
    refreshInterval: everyMs,
  });
  // A reopened page has a newer value than SWR's cache from the last visit.
  const newest = data && data.at > initial.at ? data : initial;
  useReading(dataset, newest.at, error ?? null, newest.isMarked !== true);
  return { ...newest, error: error ?? null, refresh: () => mutate() };
}

/** Fetches a value together with the time of the fetch. */
async function fetchWithTime<T>(url: string): Promise<Initial<T>> {
  return { data: await fetchData<T>(url), at: Date.now() };
}
