"use client";

import { type Initial, useLive } from "@/lib/client/use-live";
import { type AccountSummaryWire, SUMMARY_URL } from "@/lib/client/use-summary";

/**
 * The account's figures as the bar over every page keeps them: the same readings, so that a page
 * never differs from the bar, and none of its own.
 */
export function useSummaryFigures(initial: Initial<AccountSummaryWire>): AccountSummaryWire {
  return useLive("balance", SUMMARY_URL, initial, "paused").data;
}
