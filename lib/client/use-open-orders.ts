"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/client/use-live";
import type { OpenOrderBoard } from "@/lib/schemas/order-views";

export type OpenOrderBoardWire = z.input<typeof OpenOrderBoard>;

/** Where the open orders are read. `query` holds filters as the orders page has them. */
export function openOrdersUrl(query = ""): string {
  return `/api/ui/open-orders${query === "" ? "" : `?${query}`}`;
}

/** The orders that may still trade, brought up to date every few seconds. */
export function useOpenOrders(
  url: string,
  initial: Initial<OpenOrderBoardWire>,
  pace: "live" | "slow" | "paused",
): Live<OpenOrderBoardWire> {
  return useLive("openOrders", url, initial, pace);
}
