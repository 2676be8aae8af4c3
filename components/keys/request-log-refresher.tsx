"use client";

import { useEffect, useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { usePageRefresh } from "@/components/system/use-page-refresh";
import { watchRequestLog } from "@/lib/browser/request-log-changes";
import { SLOW_FACTOR } from "@/lib/browser/refresh";

const EVERY_MS = 5_000;

/**
 * Renders the newest requests again when the account's stream tells of some, and every few seconds for those that
 * another process of the service has answered.
 */
export function RequestLogRefresher() {
  const { liveUpdates } = usePreferences();
  const paceMs = EVERY_MS * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
  const refresh = usePageRefresh({ everyMs: liveUpdates === "paused" ? null : paceMs });
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => watchRequestLog(() => latest.current()), []);
  return null;
}
