import { describe, expect, it } from "vitest";
import { findTimeZone, listTimeZones } from "@/lib/domain/time-zones";

/** CLDR's older names of renamed zones. */
const FORMER = [
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
] as const;

describe("time zones", () => {
  it("are listed once, under their current names", () => {
    const zones = listTimeZones();
    expect(zones[0]).toBe("UTC");
    expect(new Set(zones).size).toBe(zones.length);
    for (const [former, today] of FORMER) {
      expect(zones).toContain(today);
      expect(zones).not.toContain(former);
    }
  });

  it("of the list are current names that Intl accepts", () => {
    for (const zone of listTimeZones()) expect(findTimeZone(zone)).toBe(zone);
  });

  it.each<readonly [string, string]>([
    ...FORMER,
    ["US/Pacific", "America/Los_Angeles"],
    ["asia/kolkata", "Asia/Kolkata"],
  ])("%s resolves to %s", (alias, today) => {
    expect(findTimeZone(alias)).toBe(today);
  });

  it.each(["", "Mars/Olympus", "auto", "Asia/Kolkata; DROP"])("%j is none", (name) => {
    expect(findTimeZone(name)).toBeNull();
  });
});
