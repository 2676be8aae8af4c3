"use client";

import { useRouter } from "next/navigation";
import { usePreferences } from "@/components/format/preferences";
import { formatClock } from "@/components/format/times";
import { useHeldLinks } from "@/components/shell/use-held-links";
import { refreshPage } from "@/components/system/use-page-refresh";
import { type Freshness, isCutOff, type Problem, useFreshness } from "@/lib/browser/freshness";
import { refetchAccount } from "@/lib/browser/use-positions";

/** A quiet dot in the top bar: green while the page is live. The note below the bar has the words. */
export function FreshnessDot() {
  const { liveUpdates } = usePreferences();
  const freshness = usePageFreshness();
  const state = liveUpdates === "paused" ? "paused" : freshness.kind;
  return (
    <span title={WORDS[state]} className="inline-flex items-center noscript:hidden">
      <span aria-hidden="true" className={`freshness-dot size-2 rounded-pill ${TONES[state]}`} />
      <span className="sr-only">{WORDS[state]}</span>
    </span>
  );
}

const TONES = { live: "bg-up", paused: "border border-text-2", outdated: "bg-warn" } as const;
const WORDS = {
  live: "Live",
  paused: "Updates are paused in Settings",
  outdated: "Not updating",
} as const;

/** The page's only sign of outdated data: why, since when, which link can't open, and a button to retry. */
export function FreshnessNote() {
  const { zone, hour12, liveUpdates } = usePreferences();
  const freshness = usePageFreshness();
  const router = useRouter();
  const retry = () => {
    void refetchAccount();
    void refreshPage(router);
  };
  const isShown =
    freshness.kind === "outdated" && (liveUpdates !== "paused" || isCutOff(freshness));
  const heldLink = useHeldLinks(isShown && isCutOff(freshness));
  return (
    <div
      role="status"
      data-bar=""
      data-outdated={isShown ? "" : undefined}
      className="sticky top-14 z-20 empty:hidden"
    >
      {isShown && (
        <div className="flex items-center justify-center gap-x-4 border-b border-warn bg-surface-2 px-4 py-1 lg:px-6">
          <p>
            {PROBLEMS[freshness.problem]}{" "}
            {heldLink !== null && `${heldLink} can’t open, so this page stays.`}{" "}
            {freshness.since > 0 &&
              `Showing data from ${formatClock(freshness.since, { zone, hour12 })}${zone === "UTC" ? " UTC" : ""}.`}
          </p>
          <button
            type="button"
            onClick={retry}
            className="link min-h-11 shrink-0 font-[550] lg:min-h-8"
          >
            Retry now
          </button>
        </div>
      )}
    </div>
  );
}

const PROBLEMS: Record<Problem, string> = {
  offline: "You’re offline.",
  unreachable: "Ante isn’t responding. Retrying.",
  busy: "Too many requests.",
  database: "The service can’t reach its database.",
  exchange: "The exchange isn’t responding.",
  failed: "This page couldn’t be updated.",
  late: "This page isn’t updating.",
};

/** Returns how current the page is, at the pace of its updates. */
export function usePageFreshness(): Freshness {
  const { liveUpdates } = usePreferences();
  return useFreshness(liveUpdates === "slow" ? "slow" : "live");
}
