"use client";

import { useEffect, useState } from "react";
import { usePreferences } from "@/components/format/preferences";
import { usePageRefresh } from "@/components/system/use-page-refresh";
import { SLOW_FACTOR } from "@/lib/browser/refresh";

const EVERY_MS = 2_000;

/**
 * Renders a page with an unfinished delivery again every few seconds, from the time of the next attempt
 * until the page shows that attempt.
 */
export function DeliveryRefresher({ nextAttemptAt }: { nextAttemptAt: string | null }) {
  const { liveUpdates } = usePreferences();
  const isDue = useIsDue(nextAttemptAt);
  const paceMs = EVERY_MS * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
  usePageRefresh({ everyMs: liveUpdates === "paused" || !isDue ? null : paceMs });
  return null;
}

/** Returns whether a time has come. */
function useIsDue(at: string | null): boolean {
  const [due, setDue] = useState<string | null>(null);
  useEffect(() => {
    if (at === null) return undefined;
    const timer = setTimeout(() => setDue(at), Date.parse(at) - Date.now());
    return () => clearTimeout(timer);
  }, [at]);
  return at !== null && at === due;
}
