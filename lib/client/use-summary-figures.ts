"use client";

import useSWR from "swr";
import { fetchData } from "@/lib/client/fetcher";
import { refreshing } from "@/lib/client/refresh";
import { type AccountSummaryWire, SUMMARY_URL } from "@/lib/client/use-summary";

/**
 * The account's figures as the bar over every page keeps them: the same readings, so that a page
 * never differs from the bar, and none of its own.
 */
export function useSummaryFigures(initial: AccountSummaryWire): AccountSummaryWire {
  const { data } = useSWR<AccountSummaryWire, Error>(SUMMARY_URL, fetchData, {
    ...refreshing("balance", initial),
    refreshInterval: 0,
    revalidateOnFocus: false,
  });
  return data ?? initial;
}
