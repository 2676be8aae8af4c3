"use client";

import { useEffect } from "react";

/**
 * Fetches the account's figures again, and announces a change, whenever something happens to the
 * account, in any program or tab. Figures also refresh on a timer, so a missing stream only makes them
 * slower. The stream's beats tell that the service runs; without them the page soon says that it doesn't.
 *
 * @param pace only "live" follows the events.
 * @param since when the page's figures were current, in milliseconds since the epoch.
 */
export function useAccountEvents(pace: "live" | "slow" | "paused", since: number): void {
  useEffect(() => {
    if (pace !== "live") return;
    let stop: (() => void) | null = null;
    const follow = (from: number | null) => {
      stop?.();
      stop = document.hidden ? null : followSoon(from);
    };
    const onVisibility = () => follow(null);
    follow(since);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      stop?.();
    };
    // Each later render of the figures follows a change that the stream has told.
  }, [pace]);
}

/** Follows the events once their part is loaded, which is later, so that the page opens sooner. */
function followSoon(since: number | null): () => void {
  let isLeft = false;
  let stop: (() => void) | null = null;
  const start = ({ followEvents }: typeof import("@/lib/browser/follow-events")) => {
    if (!isLeft) stop = followEvents(since);
  };
  import("@/lib/browser/follow-events").then(start, () => undefined);
  return () => {
    isLeft = true;
    stop?.();
  };
}
