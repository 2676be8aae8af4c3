"use client";

import { usePreferences } from "@/components/format/preferences";
import { formatClock } from "@/components/format/times";
import { Callout } from "@/components/ui/callout";
import { ApiError } from "@/lib/browser/fetcher";
import type { Live } from "@/lib/browser/use-live";

/** A note that the last update failed, with the time of the shown data and a retry button. */
export function StaleNote({ live }: { live: Live<unknown> }) {
  const { zone, hour12 } = usePreferences();
  const { at, error, isMarked, refresh } = live;
  if (!error || isMarked) return null;
  const since = `${formatClock(at, { zone, hour12 })}${zone === "UTC" ? " UTC" : ""}`;
  return (
    <Callout
      tone="warn"
      role="status"
      title={`${describeReason(error)} Showing data from ${since}.`}
    >
      <div className="flex flex-wrap items-center gap-x-4 text-small text-text-2">
        <p>Retrying automatically.</p>
        <button
          type="button"
          onClick={() => void refresh()}
          className="link min-h-11 font-[550] lg:min-h-6"
        >
          Retry now
        </button>
        <details>
          <summary className="flex min-h-11 items-center underline underline-offset-2 lg:min-h-6">
            Details
          </summary>
          <p className="mb-1 font-mono text-caption break-words">{formatDetails(error)}</p>
        </details>
      </div>
    </Callout>
  );
}

function describeReason(error: Error): string {
  if (!(error instanceof ApiError)) return "The service isn't responding.";
  if (error.status === 429) return "Too many requests.";
  if (error.code === "DATABASE_UNAVAILABLE") return "The service can't reach its database.";
  return error.status === 502 ? "The exchange isn't responding." : "This couldn't be updated.";
}

function formatDetails(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  return `${error.status} · ${error.code} · ${error.message}`;
}
