import { expect, it } from "vitest";
import { assessFreshness, classifyProblem, type Reading } from "@/lib/browser/freshness";
import { ApiError } from "@/lib/browser/fetcher";
import { REFRESH, SLOW_FACTOR } from "@/lib/browser/refresh";

const NOW = 1_800_000_000_000;
const STALE = REFRESH.positions.staleMs;
const at = (ageMs: number, rest: Partial<Reading> = {}): Reading => ({
  dataset: "positions",
  at: NOW - ageMs,
  shownAt: NOW - ageMs,
  problem: null,
  ...rest,
});
const assess = (readings: Reading[], { visibleSince = 0, pace = 1 } = {}) =>
  assessFreshness(readings, { now: NOW, visibleSince, pace });

it("a page of current parts is live", () => {
  expect(assess([at(0), at(STALE)])).toEqual({ kind: "live" });
});

it("one part with a failed update makes the page outdated at once", () => {
  const failed = at(100, { problem: "unreachable" });
  expect(assess([at(0), failed])).toEqual({
    kind: "outdated",
    problem: "unreachable",
    since: NOW - 100,
  });
});

it("one part that is too old makes the page outdated, with the time of the oldest one", () => {
  const page = assess([at(0), at(STALE + 1), at(STALE + 5_000)]);
  expect(page).toMatchObject({ kind: "outdated", since: NOW - STALE - 5_000 });
});

it("slow updates may be older by their factor", () => {
  const late = [at(STALE * SLOW_FACTOR)];
  expect(assess(late, { pace: SLOW_FACTOR })).toEqual({ kind: "live" });
  expect(assess([at(STALE * SLOW_FACTOR + 1)], { pace: SLOW_FACTOR }).kind).toBe("outdated");
});

it("a tab that just became visible has time to refresh", () => {
  const old = [at(3_600_000)];
  expect(assess(old).kind).toBe("outdated");
  expect(assess(old, { visibleSince: NOW - 1_000 })).toEqual({ kind: "live" });
});

it("a part from the browser's history has time to refresh", () => {
  expect(assess([at(3_600_000, { shownAt: NOW - 1_000 })])).toEqual({ kind: "live" });
});

it("each kind of failure is told apart", () => {
  const problems = [
    new TypeError("Failed to fetch"),
    new ApiError(429, "RATE_LIMITED", "Slow down."),
    new ApiError(503, "DATABASE_UNAVAILABLE", "No database."),
    new ApiError(502, "VENUE_UNAVAILABLE", "No venue."),
    new ApiError(500, "INTERNAL_ERROR", "Oops."),
  ].map(classifyProblem);
  expect(problems).toEqual(["unreachable", "busy", "database", "exchange", "failed"]);
});
