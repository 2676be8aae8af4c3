"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/browser/use-live";
import type { OwnMarket } from "@/lib/schemas/market-pages";

export type OwnMarketWire = z.input<typeof OwnMarket>;

/** Returns what the account has in a market. It follows the account's events. */
export function useOwnMarketData(
  marketId: string,
  initial: Initial<OwnMarketWire>,
  pace: "live" | "slow" | "paused",
): Live<OwnMarketWire> {
  return useLive("openOrders", `/api/ui/own-market?market=${marketId}`, initial, pace);
}
