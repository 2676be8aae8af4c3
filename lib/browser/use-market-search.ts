"use client";

import useSWR from "swr";
import type { z } from "zod";
import { fetchData } from "@/lib/browser/fetcher";
import { useDebounced } from "@/lib/browser/use-debounced";
import { shortenSearch } from "@/lib/domain/search";
import type { MarketList } from "@/lib/schemas/markets";

type Markets = z.input<typeof MarketList>["markets"];

const MIN_LENGTH = 2;
const MAX_SHOWN = 6;
const NONE: Markets = [];

/** "settled" also before the first search. */
export type SearchState = "settled" | "searching" | "failed";

/** Searches open markets for the typed text, once the typing pauses. */
export function useMarketSearch(text: string): { markets: Markets; search: SearchState } {
  const typed = shortenSearch(text);
  const query = useDebounced(typed);
  const url =
    query.length < MIN_LENGTH
      ? null
      : `/api/ui/v1/markets?search=${encodeURIComponent(query)}&limit=${MAX_SHOWN}`;
  const { data, error, isLoading } = useSWR<{ markets: Markets }, Error>(url, fetchData, {
    keepPreviousData: true,
    revalidateOnFocus: false,
  });
  if (typed.length < MIN_LENGTH) return { markets: NONE, search: "settled" };
  const isSearching = isLoading || query !== typed;
  return {
    // After a failure, the results of an earlier text would be wrong.
    markets: error ? NONE : (data?.markets ?? NONE),
    search: isSearching ? "searching" : error ? "failed" : "settled",
  };
}
