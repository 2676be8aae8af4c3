"use client";

import { useSyncExternalStore } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatInstant, formatPrecise, formatRelative, formatUtc } from "@/components/format/times";

/** How often relative times move on. */
const STEP_MS = 30_000;

interface Props {
  /** ISO 8601. */
  at: string;
  /** "2 min ago" for the last 24 hours, once the page is live. */
  isRelative?: boolean;
  /** With the date and to the millisecond. */
  isPrecise?: boolean;
}

/** A point in time in the user's zone, with UTC in its title. */
export function TimeStamp({ at, isRelative = true, isPrecise = false }: Props) {
  const { zone, hour12 } = usePreferences();
  // Null on the server: what "now" is differs between there and here.
  const nowMs = useSyncExternalStore(subscribe, currentStep, () => null);
  const isAge = isRelative && !isPrecise;
  const relative = isAge && nowMs !== null ? formatRelative(at, nowMs) : null;
  const format = isPrecise ? formatPrecise : formatInstant;
  return (
    <time dateTime={at} title={formatUtc(at)} className="num whitespace-nowrap">
      {relative ?? format(at, { zone, hour12 })}
    </time>
  );
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

const currentStep = () => Math.ceil(Date.now() / STEP_MS) * STEP_MS;
