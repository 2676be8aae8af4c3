"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/client/use-live";
import type { AccountSummary } from "@/lib/schemas/dashboard";

export type AccountSummaryWire = z.input<typeof AccountSummary>;

export const SUMMARY_URL = "/api/ui/summary";

export function useSummary(
  initial: Initial<AccountSummaryWire>,
  pace: "live" | "slow" | "paused",
): Live<AccountSummaryWire> {
  return useLive("balance", SUMMARY_URL, initial, pace);
}
