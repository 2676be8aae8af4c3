"use client";

import { useSyncExternalStore } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatInstant, formatUntil, formatUtc } from "@/components/format/times";

const STEP_MS = 5_000;

interface Props {
  at: string;
  /** The time of the server's render, for the first text. */
  now: number;
}

/** The remaining time until an instant, or the instant once it has passed. */
export function TimeUntil({ at, now }: Props) {
  const { zone, hour12 } = usePreferences();
  const nowMs = useSyncExternalStore(subscribe, currentStep, () => now);
  return (
    <time dateTime={at} title={formatUtc(at)} className="num whitespace-nowrap">
      {formatUntil(at, nowMs) ?? formatInstant(at, { zone, hour12 })}
    </time>
  );
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

/** Rounded up, so that the remaining time is never overstated. */
const currentStep = () => Math.ceil(Date.now() / STEP_MS) * STEP_MS;
