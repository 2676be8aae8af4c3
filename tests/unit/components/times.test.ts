import { afterEach, describe, expect, it, vi } from "vitest";
import {
  formatClock,
  formatDay,
  formatRecentDay,
  formatDaysUntil,
  formatInstant,
  formatPrecise,
  formatTimeOfDay,
  formatUntil,
  formatUtc,
  formatUpdated,
  formatZone,
  spellUntil,
} from "@/components/format/times";

const utc = { zone: "UTC", hour12: true };

afterEach(() => vi.restoreAllMocks());

describe("a point in time", () => {
  it.each([
    ["00:05", "12:05 am"],
    ["01:05", "1:05 am"],
    ["11:59", "11:59 am"],
    ["12:00", "12:00 pm"],
    ["13:05", "1:05 pm"],
    ["23:59", "11:59 pm"],
  ])("%s is formatted as %s with a 12-hour clock", (time, shown) => {
    expect(formatInstant(`2019-11-03T${time}:09.034Z`, utc)).toBe(`3 Nov 2019, ${shown}`);
  });

  it("names UTC on a page without JavaScript only where the user's zone isn't known", () => {
    const at = Date.parse("2019-11-03T14:02:11Z");
    expect(formatUpdated(at, { zone: "UTC", hour12: false })).toBe("3 Nov 2019, 14:02 UTC");
    expect(formatUpdated(at, { zone: "Europe/Berlin", hour12: false })).toBe("3 Nov 2019, 15:02");
  });

  it("is formatted in the zone, with the zone's date", () => {
    const at = "2019-09-30T20:00:09.004Z";
    const zone = "Asia/Kolkata";
    expect(formatInstant(at, { zone, hour12: false })).toBe("1 Oct 2019, 01:30");
    expect(formatTimeOfDay(at, { zone, hour12: false })).toBe("01:30");
    expect(formatPrecise(at, { zone, hour12: true })).toBe("1 Oct 2019, 1:30:09 am");
    expect(formatClock(Date.parse(at), { zone, hour12: true })).toBe("1:30:09 am");
    expect(formatDay(at, zone)).toBe("1 Oct 2019");
  });

  it("has no milliseconds where people read it", () => {
    const at = "2019-09-30T20:00:09.004Z";
    expect(formatPrecise(at, utc)).toBe("30 Sep 2019, 8:00:09 pm");
    expect(formatUtc(at)).toBe("2019-09-30 20:00:09 UTC");
  });

  it("is formatted the same with different versions of Intl", () => {
    // The ICU versions of server and browser differ in month names, day periods and spaces.
    const formatToParts = Intl.DateTimeFormat.prototype.formatToParts;
    vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts").mockImplementation(
      function inOtherWords(this: Intl.DateTimeFormat, at) {
        return formatToParts
          .call(this, at)
          .map((part) => (/^\d+$/.test(part.value) ? part : { ...part, value: "\u202f?" }));
      },
    );
    expect(formatPrecise("2019-09-03T00:05:09.034Z", utc)).toBe("3 Sep 2019, 12:05:09 am");
    expect(formatInstant("2019-09-03T12:05:09Z", utc)).toBe("3 Sep 2019, 12:05 pm");
    expect(formatClock(Date.parse("2019-09-03T12:05:09Z"), utc)).toBe("12:05:09 pm");
  });
});

describe("a recent day", () => {
  it("is named today or yesterday in the user's zone, and by its date before", () => {
    const now = Date.parse("2026-11-26T00:30:00Z");
    const name = (at: string, zone: string) => formatRecentDay(at, zone, now);
    expect(name("2026-11-26T00:10:00Z", "UTC")).toBe("Today");
    expect(name("2026-11-25T23:50:00Z", "UTC")).toBe("Yesterday");
    expect(name("2026-11-25T23:50:00Z", "Europe/Berlin")).toBe("Today");
    expect(name("2026-11-24T12:00:00Z", "UTC")).toBe("24 Nov 2026");
  });
});

describe("the time until an instant", () => {
  const AT = "2026-11-25T12:00:00.000Z";
  const MINUTE = 60_000;
  it.each([
    [3 * 1_440 + 245, "3 d 4 h", "3 days 4 hours", "3 d"],
    [1_440 + 60, "1 d 1 h", "1 day 1 hour", "1 d"],
    [252, "4 h 12 min", "4 hours 12 minutes", "4 h 12 min"],
    [12, "12 min", "12 minutes", "12 min"],
    [0.5, "<1 min", "less than a minute", "<1 min"],
  ])("%d minutes before is written and spelled out", (minutes, short, spelled, days) => {
    const now = Date.parse(AT) - minutes * MINUTE;
    expect(formatUntil(AT, now)).toBe(short);
    expect(spellUntil(AT, now)).toBe(spelled);
    expect(formatDaysUntil(AT, now)).toBe(days);
  });

  it("is null once it has passed", () => {
    expect(formatUntil(AT, Date.parse(AT))).toBeNull();
    expect(spellUntil(AT, Date.parse(AT))).toBeNull();
    expect(formatDaysUntil(AT, Date.parse(AT))).toBeNull();
  });
});

describe("a time zone", () => {
  it.each([
    ["Europe/Berlin", "Berlin time"],
    ["America/Argentina/Buenos_Aires", "Buenos Aires time"],
    ["UTC", "UTC"],
  ])("%s is shown as %s", (zone, text) => {
    expect(formatZone(zone)).toBe(text);
  });
});
