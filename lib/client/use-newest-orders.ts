"use client";

import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/client/use-live";
import type { OpenOrders } from "@/lib/schemas/orders";

export type OpenOrdersWire = z.input<typeof OpenOrders>;

/** The account's open orders, newest first. */
export function useNewestOrders(
  initial: Initial<OpenOrdersWire>,
  pace: "live" | "slow" | "paused",
): Live<OpenOrdersWire> {
  return useLive("openOrders", "/api/ui/v1/orders/open", initial, pace);
}
