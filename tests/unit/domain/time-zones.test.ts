import { describe, expect, it } from "vitest";
import { findTimeZone, listTimeZones } from "@/lib/domain/time-zones";

/** Names that CLDR keeps although the zone is called otherwise today. */
const FORMER = [
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
] as const;

describe("time zones", () => {
  it("are listed once, under the names of today", () => {
    const zones = listTimeZones();
    expect(zones[0]).toBe("UTC");
    expect(new Set(zones).size).toBe(zones.length);
    for (const [former, today] of FORMER) {
      expect(zones).toContain(today);
      expect(zones).not.toContain(former);
    }
  });

  it("each of the list is its own name, and one that Intl takes", () => {
    for (const zone of listTimeZones()) expect(findTimeZone(zone)).toBe(zone);
  });

  it.each<readonly [string, string]>([
    ...FORMER,
    ["US/Pacific", "America/Los_Angeles"],
    ["asia/kolkata", "Asia/Kolkata"],
  ])("%s is taken for %s", (alias, today) => {
    expect(findTimeZone(alias)).toBe(today);
  });

  it.each(["", "Mars/Olympus", "auto", "Asia/Kolkata; DROP"])("%j is none", (name) => {
    expect(findTimeZone(name)).toBeNull();
  });
});
