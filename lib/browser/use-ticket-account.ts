"use client";

import { useEffect, useRef } from "react";
import { type Initial, type Live, useLive } from "@/lib/browser/use-live";
import type { TicketAccountWire } from "@/lib/schemas/ticket";

export function buildTicketAccountUrl(marketId: string): string {
  return `/api/ui/ticket?market=${marketId}`;
}

/**
 * Returns the account's funds in one market and the market's status. Refreshes at the "live" pace, and
 * once more when the market closes.
 */
export function useTicketAccount(
  { id, closesAt }: { id: string; closesAt: string },
  initial: Initial<TicketAccountWire>,
): Live<TicketAccountWire> {
  const account = useLive("balance", buildTicketAccountUrl(id), initial);
  const refresh = useRef(account.refresh);
  useEffect(() => {
    refresh.current = account.refresh;
  });
  useEffect(() => {
    const left = Date.parse(closesAt) - Date.now();
    // Timers have a maximum. For a later close, the regular refresh is enough.
    if (left < 0 || left > LONGEST_TIMER_MS) return;
    const timer = setTimeout(() => void refresh.current(), left + AFTER_CLOSE_MS);
    return () => clearTimeout(timer);
  }, [closesAt]);
  return account;
}

const LONGEST_TIMER_MS = 2 ** 31 - 10_000;
/** Allows for a browser clock that is ahead of the server's. */
const AFTER_CLOSE_MS = 1_000;
