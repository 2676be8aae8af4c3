"use client";

import { useEffect } from "react";
import { refetchAccount } from "@/lib/browser/use-positions";

/** Events of one order arrive together; the figures are fetched once for all of them. */
const GATHER_MS = 20;
/** The shortest time between two fetches, for an account with many orders a second. */
const MIN_PAUSE_MS = 300;
/** The pause before a new stream, after one that the server refused. */
const RETRY_MS = 5_000;
/** The name of the lock and of the channel that the tabs of a browser share. */
const SHARED_NAME = "ante-account-events";

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
    const follow = () => {
      stop?.();
      stop = document.hidden ? null : followEvents();
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop?.();
    };
  }, [pace]);
}

/**
 * One visible tab reads the stream and tells the others: a browser opens six connections to a server
 * over HTTP/1.1, and a stream in each tab would use them up. The tabs agree by a lock, which exists
 * on https and localhost only; elsewhere figures refresh by themselves.
 */
function followEvents(): () => void {
  if (!("locks" in navigator)) return () => undefined;
  const refetch = createRefetch();
  const channel = new BroadcastChannel(SHARED_NAME);
  channel.addEventListener("message", refetch.soon);
  const tellAll = () => {
    refetch.soon();
    channel.postMessage(null);
  };
  const left = new AbortController();
  const isLeft = new Promise<void>((resolve) =>
    left.signal.addEventListener("abort", () => resolve()),
  );
  const read = async () => {
    const close = readStream(tellAll);
    await isLeft;
    close();
  };
  // Figures may have changed after the server rendered the page, or while the tab was hidden.
  refetch.soon();
  navigator.locks.request(SHARED_NAME, { signal: left.signal }, read).catch((error: unknown) => {
    if (!left.signal.aborted) throw error;
  });
  return () => {
    left.abort();
    refetch.stop();
    channel.close();
  };
}

/** Reads the stream of the account until the returned function is called. */
function readStream(onChange: () => void): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource("/api/ui/events");
    // A browser connects again by itself; figures may have changed before it did.
    source.addEventListener("open", onChange);
    for (const type of SHOWN_TYPES) source.addEventListener(type, onChange);
    source.addEventListener("error", () => {
      // If the service is gone, the fetch fails, and the page says so at once.
      onChange();
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
  };
  open();
  return () => {
    clearTimeout(retry);
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
  // So that the opening of the stream, soon after the page's, costs no fetch of its own.
  let lastAt = Date.now();
  let isStopped = false;
  const soon = () => {
    if (timer || isStopped) return;
    const waitMs = Math.max(GATHER_MS, lastAt + MIN_PAUSE_MS - Date.now());
    timer = setTimeout(() => {
      timer = undefined;
      lastAt = Date.now();
      void refetchAccount();
    }, waitMs);
  };
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { soon, stop };
}
