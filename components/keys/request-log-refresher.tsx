"use client";

import { usePreferences } from "@/components/format/preferences";
import { usePageRefresh } from "@/components/system/use-page-refresh";
import { SLOW_FACTOR } from "@/lib/browser/refresh";

const EVERY_MS = 5_000;

/** Renders the newest requests again, because reads cause no event of the account. */
export function RequestLogRefresher() {
  const { liveUpdates } = usePreferences();
  const paceMs = EVERY_MS * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
  usePageRefresh({ everyMs: liveUpdates === "paused" ? null : paceMs });
  return null;
}
