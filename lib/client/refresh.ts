import type { SWRConfiguration } from "swr";
import { ApiError } from "@/lib/client/fetcher";

/**
 * How often each kind of data is read again, and from which age on it is shown as stale or dead
 * (design reference 4.1), in milliseconds.
 */
export const REFRESH = {
  balance: { everyMs: 15_000, staleMs: 30_000, deadMs: 120_000 },
  positions: { everyMs: 10_000, staleMs: 20_000, deadMs: 120_000 },
  openOrders: { everyMs: 5_000, staleMs: 15_000, deadMs: 60_000 },
  book: { everyMs: 2_000, staleMs: 5_000, deadMs: 30_000 },
  markets: { everyMs: 30_000, staleMs: 120_000, deadMs: 600_000 },
} as const;

/** How much rarer "slow" updates are than live ones. */
export const SLOW_FACTOR = 5;

export type Dataset = keyof typeof REFRESH;

/** Options of a read whose first value the server already rendered. */
export function refreshing<T>(dataset: Dataset, initial: T): SWRConfiguration<T, Error> {
  return {
    fallbackData: initial,
    refreshInterval: REFRESH[dataset].everyMs,
    revalidateIfStale: false,
    revalidateOnMount: false,
    revalidateOnFocus: true,
    refreshWhenHidden: false,
    keepPreviousData: true,
    dedupingInterval: 2000,
    // While a read fails its interval rests, and this goes on instead.
    onErrorRetry: (error, _key, _config, revalidate, options) => {
      const isOver = error instanceof ApiError && error.status === 401;
      if (!isOver) setTimeout(() => void revalidate(options), retryAfterMs(options.retryCount));
    },
  };
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** Ever more patient, and not all browsers at the same moment. */
function retryAfterMs(retryCount: number): number {
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retryCount);
  return wait * (0.5 + Math.random() / 2);
}
