"use client";

import { useSyncExternalStore } from "react";

const STEP_MS = 1_000;

/** Whether something is older than a limit, found out as time passes; never on the server. */
export function useIsOlder(at: number, limitMs: number): boolean {
  return useSyncExternalStore(
    everySecond,
    () => Date.now() - at > limitMs,
    () => false,
  );
}

function everySecond(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}
