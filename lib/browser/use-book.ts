"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/browser/use-live";
import type { OrderBook } from "@/lib/schemas/markets";

export type OrderBookWire = z.input<typeof OrderBook>;

interface Target {
  marketId: string;
  tokenId: string;
}

export function buildBookUrl({ marketId, tokenId }: Target): string {
  return `/api/ui/v1/markets/${marketId}/book?tokenId=${tokenId}`;
}

/** Returns the order book of one outcome, and refreshes it. */
export function useBook(
  target: Target,
  initial: Initial<OrderBookWire>,
  pace: "live" | "slow" | "paused" = "live",
): Live<OrderBookWire> {
  return useLive("book", buildBookUrl(target), initial, pace);
}
