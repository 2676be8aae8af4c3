"use client";

import { useSyncExternalStore } from "react";
import { type Dataset, REFRESH } from "@/lib/client/refresh";

const STEP_MS = 1000;
const TONES = {
  fresh: "bg-up",
  stale: "bg-warn",
  dead: "bg-danger",
} as const;

interface Props {
  dataset: Dataset;
  /** When the data was true, in milliseconds since the epoch. */
  at: number;
  hasError?: boolean;
}

/** How old what is shown is: a dot, a word once it is late, and the age. */
export function FreshnessDot({ dataset, at, hasError = false }: Props) {
  const nowMs = useSyncExternalStore(subscribe, currentSecond, () => null);
  const ageMs = nowMs === null ? 0 : Math.max(0, nowMs - at);
  const state = stateOf(dataset, ageMs);
  const seconds = Math.round(ageMs / 1000);
  const age = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  const word = state === "fresh" ? "Live" : "Not updating";
  return (
    <span
      className="inline-flex items-center gap-1.5 text-caption whitespace-nowrap text-text-2"
      title={`${word}. Last update ${age} ago.${hasError ? " The last try failed; trying again." : ""}`}
    >
      <span aria-hidden="true" className={`size-2 rounded-pill ${TONES[state]}`} />
      {state !== "fresh" && <span>{word}</span>}
      <span className="num min-w-[4ch]">{age}</span>
    </span>
  );
}

function stateOf(dataset: Dataset, ageMs: number): keyof typeof TONES {
  if (ageMs > REFRESH[dataset].deadMs) return "dead";
  return ageMs > REFRESH[dataset].staleMs ? "stale" : "fresh";
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

const currentSecond = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;
