"use client";

import { useEffect } from "react";
import { refetchAccount } from "@/lib/browser/use-positions";

/** Events of one order arrive together; the figures are fetched once for all of them. */
const GATHER_MS = 20;
/** The shortest time between two fetches, for an account with many orders a second. */
const MIN_PAUSE_MS = 300;
/** The pause before a new stream, after one that the server refused. */
const RETRY_MS = 5_000;

/**
 * Fetches the account's figures again whenever something happens to the account, in any program or
 * tab. Figures also refresh by themselves, so a missing stream only makes them slower.
 *
 * @param pace only "live" follows the events.
 */
export function useAccountEvents(pace: "live" | "slow" | "paused"): void {
  useEffect(() => {
    if (pace !== "live") return;
    let stop: (() => void) | null = null;
    // The figures that the page came with are fresh; after a pause they are not.
    let isFirst = true;
    const follow = () => {
      stop?.();
      stop = document.hidden ? null : followEvents({ isCurrent: isFirst });
      isFirst = false;
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop?.();
    };
  }, [pace]);
}

function followEvents({ isCurrent }: { isCurrent: boolean }): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isStale = !isCurrent;
  const refetch = createRefetch();
  const open = () => {
    source = new EventSource("/api/ui/events");
    // A browser connects again by itself, with the number of the last event.
    source.addEventListener("open", () => {
      if (isStale) refetch.soon();
      isStale = true;
    });
    for (const type of SHOWN_TYPES) source.addEventListener(type, refetch.soon);
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    refetch.stop();
    source?.close();
  };
}

/** The events that end a change of what pages show. Each change of an account has one of them. */
const SHOWN_TYPES = [
  "account.reset",
  "balance.changed",
  "order.opened",
  "order.delayed",
  "order.partially_filled",
  "order.filled",
  "order.canceled",
  "order.expired",
  "order.rejected",
  "order.unknown",
  "order.updated",
  "order.abandoned",
  "position.changed",
  "position.redeemable",
] as const;

function createRefetch(): { soon: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = 0;
  const soon = () => {
    if (timer) return;
    const waitMs = Math.max(GATHER_MS, lastAt + MIN_PAUSE_MS - Date.now());
    timer = setTimeout(() => {
      timer = undefined;
      lastAt = Date.now();
      void refetchAccount();
    }, waitMs);
  };
  return { soon, stop: () => clearTimeout(timer) };
}
