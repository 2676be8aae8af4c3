"use client";

import { useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatUpdated } from "@/components/format/times";
import { useReading } from "@/lib/browser/freshness";
import { REFRESH, SLOW_FACTOR } from "@/lib/browser/refresh";
import { usePageRefresh } from "@/components/system/use-page-refresh";

/** An older page was prefetched or comes from the browser's history. */
const FRESH_MS = 10_000;

/**
 * Renders the page again as its figures age. Without JavaScript, says how old they are. Typed text and open
 * dialogs stay.
 *
 * @param at when the figures were current, in milliseconds since the epoch; 0 if parts are missing.
 */
export function PageRefresher({ at }: { at: number }) {
  const { liveUpdates, ...clock } = usePreferences();
  const firstAt = useRef(at);
  const paceMs = REFRESH.markets.everyMs * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
  usePageRefresh({
    everyMs: liveUpdates === "paused" ? null : paceMs,
    isOverdue: () => Date.now() - firstAt.current > FRESH_MS,
  });
  useReading("markets", at, null, liveUpdates !== "paused" && at > 0);
  return (
    <noscript>
      <span className="text-caption text-text-2">
        {at > 0 && <>As of {formatUpdated(at, clock)} · </>}
        <a href="" className="link">
          Reload
        </a>
      </span>
    </noscript>
  );
}
