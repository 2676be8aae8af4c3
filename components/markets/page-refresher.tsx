"use client";

import { usePreferences } from "@/components/format/preferences";
import { usePageRefresh } from "@/components/system/use-page-refresh";
import { useReading } from "@/lib/browser/freshness";
import { REFRESH, SLOW_FACTOR } from "@/lib/browser/refresh";

/** An older page was prefetched or comes from the browser's history. */
const FRESH_MS = 10_000;

/**
 * Renders the page again as its figures age. Typed text and open dialogs stay.
 *
 * @param at when the figures were current, in milliseconds since the epoch; 0 if parts are missing.
 */
export function PageRefresher({ at }: { at: number }) {
  const { liveUpdates } = usePreferences();
  const paceMs = REFRESH.markets.everyMs * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
  usePageRefresh({
    everyMs: liveUpdates === "paused" ? null : paceMs,
    isOverdue: () => Date.now() - at > FRESH_MS,
  });
  useReading("markets", at, null, liveUpdates !== "paused" && at > 0);
  return null;
}
