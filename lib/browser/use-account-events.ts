"use client";

import { useEffect } from "react";

/**
 * Fetches the account's figures again, and announces a change, whenever something happens to the
 * account, in any program or tab. Figures also refresh on a timer, so a missing stream only makes them
 * slower. The stream's beats tell that the service runs; without them the page soon says that it doesn't.
 *
 * @param pace only "live" follows the events.
 */
export function useAccountEvents(pace: "live" | "slow" | "paused"): void {
  useEffect(() => {
    if (pace !== "live") return;
    let stop: (() => void) | null = null;
    const follow = (wasHidden: boolean) => {
      stop?.();
      stop = document.hidden ? null : followSoon(wasHidden);
    };
    const onVisibility = () => follow(true);
    follow(false);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      stop?.();
    };
  }, [pace]);
}

/** Follows the events once their part is loaded, which is later, so that the page opens sooner. */
function followSoon(wasHidden: boolean): () => void {
  let isLeft = false;
  let stop: (() => void) | null = null;
  const start = ({ followEvents }: typeof import("@/lib/browser/follow-events")) => {
    if (!isLeft) stop = followEvents({ wasHidden });
  };
  import("@/lib/browser/follow-events").then(start, () => undefined);
  return () => {
    isLeft = true;
    stop?.();
  };
}
