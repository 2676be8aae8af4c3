"use client";

import { usePreferences } from "@/components/format/preferences";
import { TimeStamp } from "@/components/format/time-stamp";
import { formatClock, formatDay, formatPrecise } from "@/components/format/times";

interface Props {
  /** ISO 8601. */
  from: string;
  to: string;
}

/** 3 Nov 2025, 14:02:11 – 14:05:40; one time if both are the same second. */
export function TimeRange({ from, to }: Props) {
  const { zone, hour12 } = usePreferences();
  const clock = { zone, hour12 };
  const isOneSecond = formatPrecise(from, clock) === formatPrecise(to, clock);
  if (isOneSecond) return <TimeStamp at={to} isPrecise />;
  const isOneDay = formatDay(from, zone) === formatDay(to, zone);
  return (
    <>
      <TimeStamp at={from} isPrecise />{" "}
      <span className="whitespace-nowrap">
        –{" "}
        <time dateTime={to} title={to} className="num">
          {isOneDay ? formatClock(Date.parse(to), clock) : formatPrecise(to, clock)}
        </time>
      </span>
    </>
  );
}
