"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/browser/use-live";
import type { AccountSummary } from "@/lib/schemas/dashboard";

export type AccountSummaryWire = z.input<typeof AccountSummary>;

export const SUMMARY_URL = "/api/ui/summary";

export function useSummary(
  initial: Initial<AccountSummaryWire>,
  pace: "live" | "slow" | "paused",
): Live<AccountSummaryWire> {
  return useLive("balance", SUMMARY_URL, initial, pace);
}

/**
 * Returns the account figures of the top bar without extra requests, so that a page always shows the
 * same figures as the bar.
 */
export function useSummaryFigures(initial: Initial<AccountSummaryWire>): AccountSummaryWire {
  return useLive("balance", SUMMARY_URL, initial, "paused").data;
}
