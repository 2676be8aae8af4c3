import { describe, expect, it } from "vitest";
import { toInstant, toWallTime } from "@/lib/domain/wall-time";

const instant = (text: string, zone: string) => new Date(toInstant(text, zone)).toISOString();

describe("a date and time in a zone", () => {
  it.each([
    ["2026-11-24T12:00", "UTC", "2026-11-24T12:00:00.000Z"],
    ["2026-11-24T12:00", "Europe/Berlin", "2026-11-24T11:00:00.000Z"],
    ["2026-07-01T12:00:30", "Europe/Berlin", "2026-07-01T10:00:30.000Z"],
    ["2026-11-24T12:00", "Asia/Kolkata", "2026-11-24T06:30:00.000Z"],
  ])("%s in %s is %s", (text, zone, at) => {
    expect(instant(text, zone)).toBe(at);
    expect(toWallTime(Date.parse(at), zone)).toBe(text.slice(0, 16));
  });

  it("is the first of two instants if the clocks go back", () => {
    expect(instant("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  });

  it("is shifted past the change if the clocks skip it", () => {
    expect(instant("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
  });
});
