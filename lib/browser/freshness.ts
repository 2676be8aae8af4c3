"use client";

import { useEffect, useSyncExternalStore } from "react";
import { ApiError } from "@/lib/browser/fetcher";
import { type Dataset, REFRESH, SLOW_FACTOR } from "@/lib/browser/refresh";

/** How current the page is as a whole. */
export type Freshness =
  | { kind: "live" }
  /** `since` is the time of the oldest outdated data, in milliseconds; 0 if it isn't known. */
  | { kind: "outdated"; problem: Problem; since: number };

/**
 * Why data is outdated. "offline" and "unreachable" get no response from the service; "late" means
 * that no update has failed, but none came either.
 */
export type Problem =
  "offline" | "unreachable" | "busy" | "database" | "exchange" | "failed" | "late";

/** What a live part of the page last read. */
export interface Reading {
  dataset: Dataset;
  /** When its data was current, in milliseconds since the epoch; 0 if parts are missing. */
  at: number;
  /** When the part appeared: a page from the browser's history gets time to refresh. */
  shownAt: number;
  /** Why the last update failed; null if it succeeded. */
  problem: Problem | null;
}

const LIVE: Freshness = { kind: "live" };

/**
 * Returns the state of a page with these readings. One outdated part makes the page outdated.
 *
 * @param visibleSince when the tab became visible; hidden tabs don't refresh.
 * @param pace the factor by which refreshing is slowed down.
 */
export function assessFreshness(
  readings: readonly Reading[],
  { now, visibleSince, pace }: { now: number; visibleSince: number; pace: number },
): Freshness {
  const outdated = readings.filter(({ dataset, at, shownAt, problem }) => {
    const ageMs = now - Math.max(at, shownAt, visibleSince);
    return problem !== null || ageMs > REFRESH[dataset].staleMs * pace;
  });
  if (outdated.length === 0) return LIVE;
  const problem = outdated.find((reading) => reading.problem !== null)?.problem;
  const since = Math.min(...outdated.map(({ at }) => at));
  return { kind: "outdated", problem: problem ?? "late", since };
}

/** Returns why a request failed. */
export function classifyProblem(error: Error): Problem {
  if (!(error instanceof ApiError)) return "unreachable";
  if (error.status === 429) return "busy";
  if (error.code === "DATABASE_UNAVAILABLE") return "database";
  return error.status === 502 ? "exchange" : "failed";
}

const readings = new Map<symbol, Reading>();
const listeners = new Set<() => void>();
let visibleSince = 0;

/**
 * Counts a live part toward the page's freshness.
 *
 * @param error the error of its last update, or null.
 * @param isCounted false while the part is paused, or if the page already says that it is stale.
 */
export function useReading(
  dataset: Dataset,
  at: number,
  error: Error | null,
  isCounted = true,
): void {
  const problem = error && classifyProblem(error);
  useEffect(() => {
    if (!isCounted) return;
    const id = Symbol(dataset);
    readings.set(id, { dataset, at, problem, shownAt: Date.now() });
    for (const listener of listeners) listener();
    return () => {
      readings.delete(id);
    };
  }, [dataset, at, problem, isCounted]);
}

const SILENCE = Symbol("silence");

/** Says that the service is silent, so that no part of the page can be current, or that it isn't. */
export function reportSilence(isSilent: boolean): void {
  if (isSilent) {
    const at = findOldest();
    readings.set(SILENCE, { dataset: "balance", at, shownAt: Date.now(), problem: "unreachable" });
  } else {
    readings.delete(SILENCE);
  }
  for (const listener of listeners) listener();
}

const CHECK_EVERY_MS = 1_000;

/** Returns how current the page is, checked every second. The server renders "live". */
export function useFreshness(pace: "live" | "slow"): Freshness {
  return useSyncExternalStore(subscribe, pace === "slow" ? readSlow : readLive, () => LIVE);
}

/** Returns whether the page gets no response from the service, so that no order can be placed. */
export function useIsCutOff(): boolean {
  return isCutOff(useFreshness("live"));
}

/** Returns whether a page in this state gets no response from the service. */
export function isCutOff(freshness: Freshness): boolean {
  if (freshness.kind === "live") return false;
  return freshness.problem === "offline" || freshness.problem === "unreachable";
}

const readLive = createReader(1);
const readSlow = createReader(SLOW_FACTOR);

/** React compares snapshots by identity, so an unchanged state keeps its object. */
function createReader(pace: number): () => Freshness {
  let last: Freshness = LIVE;
  return () => {
    const read = assessFreshness([...readings.values()], { now: Date.now(), visibleSince, pace });
    const next = navigator.onLine ? read : toOffline(read);
    if (JSON.stringify(next) !== JSON.stringify(last)) last = next;
    return last;
  };
}

function toOffline(read: Freshness): Freshness {
  const since = read.kind === "live" ? findOldest() : read.since;
  return { kind: "outdated", problem: "offline", since };
}

/** Returns the time of the oldest data on the page; 0 without any. */
function findOldest(): number {
  const times = [...readings.values()].map(({ at }) => at);
  return times.length > 0 ? Math.min(...times) : 0;
}

function subscribe(onChange: () => void): () => void {
  const onVisible = () => {
    if (!document.hidden) visibleSince = Date.now();
  };
  const timer = setInterval(onChange, CHECK_EVERY_MS);
  document.addEventListener("visibilitychange", onVisible);
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  listeners.add(onChange);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
    listeners.delete(onChange);
  };
}
