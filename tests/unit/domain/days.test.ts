import { describe, expect, it } from "vitest";
import {
  addDay,
  isDay,
  nextMonth,
  previousMonth,
  toLastDay,
  toMonth,
  toStartOfDay,
} from "@/lib/domain/days";

const begins = (day: string, zone: string) => new Date(toStartOfDay(day, zone)).toISOString();

describe("the instant at which a day begins", () => {
  it.each([
    ["2026-11-21", "UTC", "2026-11-21T00:00:00.000Z"],
    ["2026-11-21", "Europe/Berlin", "2026-11-20T23:00:00.000Z"],
    ["2026-07-01", "Europe/Berlin", "2026-06-30T22:00:00.000Z"],
    ["2026-11-21", "America/Los_Angeles", "2026-11-21T08:00:00.000Z"],
    ["2026-11-21", "Asia/Kolkata", "2026-11-20T18:30:00.000Z"],
    ["2026-11-21", "Pacific/Kiritimati", "2026-11-20T10:00:00.000Z"],
  ])("of %s in %s is %s", (day, zone, instant) => {
    expect(begins(day, zone)).toBe(instant);
  });

  it("is correct on days with a clock change", () => {
    expect(begins("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
    expect(begins("2026-03-30", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
    expect(begins("2026-10-25", "Europe/Berlin")).toBe("2026-10-24T22:00:00.000Z");
    expect(begins("2026-10-26", "Europe/Berlin")).toBe("2026-10-25T23:00:00.000Z");
    expect(begins("2026-11-01", "America/New_York")).toBe("2026-11-01T04:00:00.000Z");
    expect(begins("2026-11-02", "America/New_York")).toBe("2026-11-02T05:00:00.000Z");
    // This change skips the last hour of the previous day.
    expect(begins("2026-03-29", "America/Nuuk")).toBe("2026-03-29T01:00:00.000Z");
  });
});

it.each([
  ["2026-03-08", "America/Havana", "2026-03-08T05:00:00.000Z"],
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
  ["2026-03-29", "Atlantic/Azores", "2026-03-29T01:00:00.000Z"],
])("if a clock change skips midnight of %s in %s, the day begins with the change", (...given) => {
  const [day, zone, instant] = given;
  expect(begins(day, zone)).toBe(instant);
  expect(begins(addDay(day), zone) > instant).toBe(true);
});

it("if a clock change repeats midnight, the day begins with the first one", () => {
  expect(begins("2026-11-01", "America/Havana")).toBe("2026-11-01T04:00:00.000Z");
});

it.each(["2026-11-21", "2024-02-29", "1970-01-01", "2999-12-31"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
});

it.each(["0001-01-01", "0020-11-22", "1969-12-31", "9999-12-31"])(
  "%s, with a year that is still being typed, is no day",
  (text) => expect(isDay(text)).toBe(false),
);

it.each(["", "2026-13-01", "2026-02-30", "2025-02-29", "21.11.2026", "2026-11-21T00:00Z", "x"])(
  "%j is no day",
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);

it("addDay works at the end of a month, of February and of a year", () => {
  expect([addDay("2026-11-30"), addDay("2024-02-28"), addDay("2026-12-31")]).toEqual([
    "2026-12-01",
    "2024-02-29",
    "2027-01-01",
  ]);
});

describe("a month", () => {
  it("is the one of the user's time zone", () => {
    const at = "2026-12-31T23:30:00.000Z";
    expect(toMonth(at, "UTC")).toBe("2026-12");
    expect(toMonth(at, "Europe/Berlin")).toBe("2027-01");
    expect(toMonth(new Date(at), "America/New_York")).toBe("2026-12");
  });

  it("has neighbors in other years, and a last day in leap years", () => {
    expect([nextMonth("2026-12"), previousMonth("2026-01")]).toEqual(["2027-01", "2025-12"]);
    expect([nextMonth("2026-01"), previousMonth("2026-03")]).toEqual(["2026-02", "2026-02"]);
    expect(["2026-02", "2028-02", "2026-12"].map(toLastDay)).toEqual([
      "2026-02-28",
      "2028-02-29",
      "2026-12-31",
    ]);
  });
});
