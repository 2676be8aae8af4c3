"use client";

import { useSyncExternalStore } from "react";
import { usePreferences } from "@/components/format/preferences";
import { type Dataset, REFRESH, SLOW_FACTOR } from "@/lib/browser/refresh";

const STEP_MS = 1000;
const TONES = {
  paused: "border border-text-2",
  fresh: "bg-up",
  stale: "bg-warn",
  dead: "bg-danger",
} as const;

interface Props {
  dataset: Dataset;
  /** When the data was current, in milliseconds since the epoch; 0 if parts are missing. */
  at: number;
  hasError?: boolean;
}

/**
 * The age of the shown data: a dot, a word once it is stale, and the age. Empty until hydration and
 * without JavaScript.
 */
export function FreshnessDot(props: Props) {
  const nowMs = useSyncExternalStore(subscribe, currentSecond, () => null);
  if (nowMs !== null) return <LiveDot {...props} ageMs={Math.max(0, nowMs - props.at)} />;
  return (
    <span aria-hidden="true" className="inline-flex items-center gap-1.5 text-caption">
      <span className="size-2 rounded-pill bg-control" />
      <span className="num min-w-[4ch]">&nbsp;</span>
    </span>
  );
}

function LiveDot({ dataset, at, ageMs, hasError = false }: Props & { ageMs: number }) {
  const { liveUpdates } = usePreferences();
  const paceMs = liveUpdates === "slow" ? ageMs / SLOW_FACTOR : ageMs;
  const state = liveUpdates === "paused" ? "paused" : classifyAge(dataset, paceMs);
  const seconds = Math.round(ageMs / 1000);
  const elapsed = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  const age = at > 0 ? elapsed : "—";
  const last = at > 0 ? `Last update ${age} ago.` : "No update yet.";
  const word = WORDS[state];
  return (
    <span
      className="inline-flex items-center gap-1.5 text-caption whitespace-nowrap text-text-2"
      title={`${word}. ${last}${hasError ? " The last update failed. Retrying." : ""}`}
    >
      <span aria-hidden="true" className={`size-2 rounded-pill ${TONES[state]}`} />
      {state !== "fresh" && <span>{word}</span>}
      <span className="num min-w-[4ch]">{age}</span>
    </span>
  );
}

const WORDS = {
  paused: "Paused",
  fresh: "Live",
  stale: "Not updating",
  dead: "Not updating",
} as const;

function classifyAge(dataset: Dataset, ageMs: number): keyof typeof TONES {
  if (ageMs > REFRESH[dataset].deadMs) return "dead";
  return ageMs > REFRESH[dataset].staleMs ? "stale" : "fresh";
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

const currentSecond = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;
