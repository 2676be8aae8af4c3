"use client";

import { useSyncExternalStore } from "react";
import { usePreferences } from "@/components/format/preferences";
import { formatInstant, formatUntil, formatUtc } from "@/components/format/times";

const STEP_MS = 5_000;

interface Props {
  at: string;
  /** When the server rendered this: what it says first holds for then. */
  now: number;
}

/** How long it is until a point in time; once it has passed, when it was. */
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

/** Rounded towards the end: never more time than there is. */
const currentStep = () => Math.ceil(Date.now() / STEP_MS) * STEP_MS;
