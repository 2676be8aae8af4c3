"use client";

import { usePreferences } from "@/components/format/preferences";
import { formatClock } from "@/components/format/times";
import { Callout } from "@/components/ui/callout";
import { ApiError } from "@/lib/client/fetcher";
import type { Live } from "@/lib/client/use-live";

/** Says that a read failed, from when what is shown is, and offers to read it again at once. */
export function StaleNote({ live }: { live: Live<unknown> }) {
  const { zone, hour12 } = usePreferences();
  const { at, error, isMarked, refresh } = live;
  if (!error || isMarked) return null;
  const since = `${formatClock(at, { zone, hour12 })}${zone === "UTC" ? " UTC" : ""}`;
  return (
    <Callout tone="warn" role="status" title={`${reasonOf(error)} Showing data from ${since}.`}>
      <div className="flex flex-wrap items-center gap-x-4 text-small text-text-2">
        <p>It is tried again by itself.</p>
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
          <p className="mb-1 font-mono text-caption break-words">{detailsOf(error)}</p>
        </details>
      </div>
    </Callout>
  );
}

function reasonOf(error: Error): string {
  if (!(error instanceof ApiError)) return "The service isn't answering.";
  if (error.status === 429) return "Too many requests.";
  if (error.code === "DATABASE_UNAVAILABLE") return "The service can't reach its database.";
  return error.status === 502 ? "The exchange isn't answering." : "This could not be updated.";
}

function detailsOf(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  return `${error.status} · ${error.code} · ${error.message}`;
}
