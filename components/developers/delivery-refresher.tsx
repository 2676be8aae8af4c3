"use client";

import { usePreferences } from "@/components/format/preferences";
import { usePageRefresh } from "@/components/system/use-page-refresh";
import { SLOW_FACTOR } from "@/lib/browser/refresh";

const EVERY_MS = 2_000;

/** Renders a page with an unfinished delivery again every few seconds, so that it shows the next attempt. */
export function DeliveryRefresher() {
  const { liveUpdates } = usePreferences();
  const paceMs = EVERY_MS * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
  usePageRefresh({ everyMs: liveUpdates === "paused" ? null : paceMs });
  return null;
}
