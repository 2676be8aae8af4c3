"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/browser/use-live";
import type { OpenOrdersView } from "@/lib/schemas/dashboard-orders";

export type OpenOrdersWire = z.input<typeof OpenOrdersView>;

/** Returns the URL of the open orders. `query` has the filters of the orders page. */
export function buildOpenOrdersUrl(query = ""): string {
  return `/api/ui/open-orders${query === "" ? "" : `?${query}`}`;
}

/** Returns the open orders and refreshes them every few seconds. */
export function useOpenOrders(
  url: string,
  initial: Initial<OpenOrdersWire>,
  pace: "live" | "slow" | "paused",
): Live<OpenOrdersWire> {
  return useLive("openOrders", url, initial, pace);
}
