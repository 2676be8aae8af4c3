"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatUtc } from "@/components/format/times";
import { FreshnessDot } from "@/components/ui/freshness-dot";
import { REFRESH } from "@/lib/client/refresh";

const SLOW_FACTOR = 5;
/** A page that is older when it is first shown was fetched ahead, or comes from the history. */
const FRESH_MS = 10_000;

/**
 * Has the server render this page again as its figures age, and says how old they are. What is
 * typed or opened stays.
 *
 * @param at when the page was rendered, in milliseconds since the epoch.
 */
export function PageRefresher({ at }: { at: number }) {
  const router = useRouter();
  const { liveUpdates } = usePreferences();
  const firstAt = useRef(at);
  useEffect(() => {
    if (liveUpdates === "paused") return;
    const everyMs = REFRESH.markets.everyMs * (liveUpdates === "slow" ? SLOW_FACTOR : 1);
    const refresh = async () => {
      // Next leaves the page when a refresh fails, so it is only asked for where it will not.
      if (!document.hidden && (await isServiceUp())) router.refresh();
    };
    if (Date.now() - firstAt.current > FRESH_MS) void refresh();
    const timer = setInterval(() => void refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router, liveUpdates]);
  return (
    <>
      <FreshnessDot dataset="markets" at={at} />
      <noscript>
        <span className="ml-2 text-caption text-text-2">
          As of {formatUtc(new Date(at).toISOString())} ·{" "}
          <a href="" className="link">
            Reload
          </a>
        </span>
      </noscript>
    </>
  );
}

async function isServiceUp(): Promise<boolean> {
  try {
    return (await fetch("/health")).ok;
  } catch {
    return false;
  }
}
