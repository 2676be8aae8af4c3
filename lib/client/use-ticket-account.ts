"use client";

import { useEffect, useRef } from "react";
import { type Initial, type Live, useLive } from "@/lib/client/use-live";
import type { TicketAccountWire } from "@/lib/schemas/ticket";

export function ticketAccountUrl(marketId: string): string {
  return `/api/ui/ticket?market=${marketId}`;
}

/**
 * What the account brings to an order in one market, and whether that takes orders. Read at every
 * pace, as it is the user's own, and once more when the market is to close.
 */
export function useTicketAccount(
  { id, closesAt }: { id: string; closesAt: string },
  initial: Initial<TicketAccountWire>,
): Live<TicketAccountWire> {
  const account = useLive("balance", ticketAccountUrl(id), initial);
  const refresh = useRef(account.refresh);
  useEffect(() => {
    refresh.current = account.refresh;
  });
  useEffect(() => {
    const left = Date.parse(closesAt) - Date.now();
    // A timer holds no longer; whoever stays until then is told by one of the other reads.
    if (left < 0 || left > LONGEST_TIMER_MS) return;
    const timer = setTimeout(() => void refresh.current(), left + AFTER_CLOSE_MS);
    return () => clearTimeout(timer);
  }, [closesAt]);
  return account;
}

const LONGEST_TIMER_MS = 2 ** 31 - 10_000;
/** The browser's clock may be ahead of the server's by so much. */
const AFTER_CLOSE_MS = 1_000;
