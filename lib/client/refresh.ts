import type { SWRConfiguration } from "swr";

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
  };
}
