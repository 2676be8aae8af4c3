"use client";

import { useEffect, useState } from "react";
import useSWR from "swr";
import type { z } from "zod";
import { fetchData } from "@/lib/client/fetcher";
import type { MarketList } from "@/lib/schemas/markets";

type Markets = z.input<typeof MarketList>["markets"];

const PAUSE_MS = 150;
const MIN_LENGTH = 2;
const MAX_SHOWN = 6;
const NONE: Markets = [];

/** How the search stands: over or not begun, on its way, or without an answer. */
export type SearchState = "settled" | "searching" | "failed";

/** Open markets that match what is being typed, once the typing pauses. */
export function useMarketSearch(text: string): { markets: Markets; search: SearchState } {
  const query = usePaused(text.trim());
  const url =
    query.length < MIN_LENGTH
      ? null
      : `/api/ui/v1/markets?search=${encodeURIComponent(query)}&limit=${MAX_SHOWN}`;
  const { data, error, isLoading } = useSWR<{ markets: Markets }, Error>(url, fetchData, {
    keepPreviousData: true,
    revalidateOnFocus: false,
  });
  const isWanted = text.trim().length >= MIN_LENGTH;
  if (!isWanted) return { markets: NONE, search: "settled" };
  const isSearching = isLoading || query !== text.trim();
  return {
    // What an earlier text found says nothing of one whose search has failed.
    markets: error ? NONE : (data?.markets ?? NONE),
    search: isSearching ? "searching" : error ? "failed" : "settled",
  };
}

function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
