import { expect, it } from "vitest";
import { addCheck, type CheckedDay, listDays } from "@/lib/domain/checked-days";

const at = (day: string) => new Date(`${day}T23:59:59.999Z`);

it("checks of one UTC day are counted together, and those with mismatches also apart", () => {
  let days: readonly CheckedDay[] = [];
  for (const [day, problems] of [
    ["2026-11-28", 0],
    ["2026-11-28", 3],
    ["2026-11-29", 0],
    ["2026-11-28", 0],
  ] as const) {
    days = addCheck(days, at(day), problems);
  }
  expect(days).toEqual([
    { day: "2026-11-28", checks: 3, failed: 1 },
    { day: "2026-11-29", checks: 1, failed: 0 },
  ]);
});

it("a check drops the days before the last 30, also across the end of a February", () => {
  const days = ["2028-01-31", "2028-02-01", "2028-02-02"].map((day) => ({
    day,
    checks: 144,
    failed: 0,
  }));
  const kept = addCheck(days, at("2028-03-01"), 0);
  expect(kept.map(({ day }) => day)).toEqual(["2028-02-01", "2028-02-02", "2028-03-01"]);
  const listed = listDays(at("2028-03-01"));
  expect(listed).toHaveLength(30);
  expect([listed[0], listed[28], listed[29]]).toEqual(["2028-02-01", "2028-02-29", "2028-03-01"]);
});
