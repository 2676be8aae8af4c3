"use client";

import { type Initial, type Live, useLive } from "@/lib/client/use-live";
import type { TicketAccountWire } from "@/lib/schemas/ticket";

function ticketAccountUrl(marketId: string): string {
  return `/api/ui/ticket?market=${marketId}`;
}

/** What the account brings to an order in one market. Read at every pace: it is the user's own. */
export function useTicketAccount(
  marketId: string,
  initial: Initial<TicketAccountWire>,
): Live<TicketAccountWire> {
  return useLive("balance", ticketAccountUrl(marketId), initial);
}
