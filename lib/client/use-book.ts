"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/client/use-live";
import type { OrderBook } from "@/lib/schemas/markets";

export type OrderBookWire = z.input<typeof OrderBook>;

interface Target {
  marketId: string;
  tokenId: string;
}

export function bookUrl({ marketId, tokenId }: Target): string {
  return `/api/ui/v1/markets/${marketId}/book?tokenId=${tokenId}`;
}

/** The order book of one outcome, brought up to date as its dataset asks. */
export function useBook(
  target: Target,
  initial: Initial<OrderBookWire>,
  pace: "live" | "slow" | "paused" = "live",
): Live<OrderBookWire> {
  return useLive("book", bookUrl(target), initial, pace);
}
