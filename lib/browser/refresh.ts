import type { SWRConfiguration } from "swr";
import { ApiError } from "@/lib/browser/fetcher";

/**
 * The refresh interval of each dataset, and the ages from which it is shown as stale or dead, in
 * milliseconds.
 */
export const REFRESH = {
  balance: { everyMs: 15_000, staleMs: 30_000, deadMs: 120_000 },
  positions: { everyMs: 10_000, staleMs: 20_000, deadMs: 120_000 },
  openOrders: { everyMs: 5_000, staleMs: 15_000, deadMs: 60_000 },
  book: { everyMs: 2_000, staleMs: 5_000, deadMs: 30_000 },
  markets: { everyMs: 30_000, staleMs: 120_000, deadMs: 600_000 },
} as const;

/** "Slow" updates multiply the refresh interval by this. */
export const SLOW_FACTOR = 5;

export type Dataset = keyof typeof REFRESH;

/** Builds SWR options for a dataset whose first value was rendered by the server. */
export function createSwrOptions<T>(dataset: Dataset, initial: T): SWRConfiguration<T, Error> {
  return {
    fallbackData: initial,
    refreshInterval: REFRESH[dataset].everyMs,
    revalidateIfStale: false,
    revalidateOnMount: false,
    revalidateOnFocus: true,
    refreshWhenHidden: false,
    keepPreviousData: true,
    dedupingInterval: 2000,
    // SWR pauses the interval while requests fail, so this retries instead, with jitter.
    onErrorRetry: (error, _key, _config, revalidate, options) => {
      const isSignedOut = error instanceof ApiError && error.status === 401;
      if (isSignedOut) return;
      const isRefused = error instanceof ApiError;
      const retryMs = isRefused ? computeBackoffMs(options.retryCount) : UNREACHABLE_RETRY_MS;
      setTimeout(() => void revalidate(options), retryMs * (0.5 + Math.random() / 2));
    },
  };
}

/** While the service gives no response, a retry costs it nothing. */
const UNREACHABLE_RETRY_MS = 2_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

function computeBackoffMs(retryCount: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retryCount);
}
