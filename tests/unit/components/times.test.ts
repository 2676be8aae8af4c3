import { afterEach, describe, expect, it, vi } from "vitest";
import { formatClock, formatDay, formatInstant, formatPrecise } from "@/components/format/times";

const utc = { zone: "UTC", hour12: true };

afterEach(() => vi.restoreAllMocks());

describe("a point in time", () => {
  it.each([
    ["00:05", "12:05 am"],
    ["01:05", "01:05 am"],
    ["11:59", "11:59 am"],
    ["12:00", "12:00 pm"],
    ["13:05", "01:05 pm"],
    ["23:59", "11:59 pm"],
  ])("%s is %s on a clock of twelve hours", (time, shown) => {
    expect(formatInstant(`2019-11-03T${time}:09.034Z`, utc)).toBe(`3 Nov 2019, ${shown}`);
  });

  it("stands in its zone, on the zone's day", () => {
    const at = "2019-09-30T20:00:09.004Z";
    const zone = "Asia/Kolkata";
    expect(formatInstant(at, { zone, hour12: false })).toBe("1 Oct 2019, 01:30");
    expect(formatPrecise(at, { zone, hour12: true })).toBe("1 Oct 2019, 01:30:09.004 am");
    expect(formatClock(Date.parse(at), { zone, hour12: true })).toBe("01:30:09 am");
    expect(formatDay(at, zone)).toBe("1 Oct 2019");
  });

  it("reads the same whatever the runtime's Intl would make of it in words", () => {
    // A server's ICU is not the browser's: month names, day periods and spaces differ.
    const formatToParts = Intl.DateTimeFormat.prototype.formatToParts;
    vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts").mockImplementation(
      function inOtherWords(this: Intl.DateTimeFormat, at) {
        return formatToParts
          .call(this, at)
          .map((part) => (/^\d+$/.test(part.value) ? part : { ...part, value: "\u202f?" }));
      },
    );
    expect(formatPrecise("2019-09-03T00:05:09.034Z", utc)).toBe("3 Sep 2019, 12:05:09.034 am");
    expect(formatInstant("2019-09-03T12:05:09Z", utc)).toBe("3 Sep 2019, 12:05 pm");
    expect(formatClock(Date.parse("2019-09-03T12:05:09Z"), utc)).toBe("12:05:09 pm");
  });
});
