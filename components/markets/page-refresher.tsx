"use client";

import { useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatUtc } from "@/components/format/times";
import { FreshnessDot } from "@/components/ui/freshness-dot";
import { REFRESH, SLOW_FACTOR } from "@/lib/client/refresh";
import { usePageRefresh } from "@/components/system/use-page-refresh";

/** A page that is older when it is first shown was fetched ahead, or comes from the history. */
const FRESH_MS = 10_000;

/**
 * Has the server render this page again as its figures age, and says how old they are. What is
 * typed or opened stays.
 *
 * @param at when the page's figures were true, in milliseconds since the epoch; 0 for never.
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
