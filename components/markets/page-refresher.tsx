"use client";

import { useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatUtc } from "@/components/format/times";
import { FreshnessDot } from "@/components/ui/freshness-dot";
import { REFRESH, SLOW_FACTOR } from "@/lib/browser/refresh";
import { usePageRefresh } from "@/components/system/use-page-refresh";

/** An older page was prefetched or comes from the browser's history. */
const FRESH_MS = 10_000;

/**
 * Shows the age of the page's figures and renders the page again as they age. Typed text and open
 * dialogs stay.
 *
 * @param at when the figures were current, in milliseconds since the epoch; 0 if parts are missing.
 */
export function PageRefresher({ at }: { at: number }) {
  const { liveUpdates } = usePreferences();
  const firstAt = useRef(at);
  const paceMs = REFRESH.markets.everyMs * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
  usePageRefresh({
    everyMs: liveUpdates === "paused" ? null : paceMs,
    isOverdue: () => Date.now() - firstAt.current > FRESH_MS,
  });
  return (
    <>
      <FreshnessDot dataset="markets" at={at} />
      <noscript>
        <span className="ml-2 text-caption text-text-2">
          {at > 0 && <>As of {formatUtc(new Date(at).toISOString())} · </>}
          <a href="" className="link">
            Reload
          </a>
        </span>
      </noscript>
    </>
  );
}
