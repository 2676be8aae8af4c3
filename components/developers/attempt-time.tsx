"use client";

import { usePreferences } from "@/components/format/preferences";
import { formatClock, formatDay, formatUtc } from "@/components/format/times";

/** The time of the next attempt, with seconds, because the first attempts are seconds apart. */
export function AttemptTime({ at }: { at: string }) {
  const { zone, hour12 } = usePreferences();
  return (
    <time dateTime={at} title={formatUtc(at)} className="num">
      {formatDay(at, zone)}, {formatClock(Date.parse(at), { zone, hour12 })}
    </time>
  );
}
