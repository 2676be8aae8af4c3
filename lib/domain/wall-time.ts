import { getWallClock } from "@/lib/domain/wall-clock";

const DAY_MS = 24 * 3600 * 1000;

/**
 * Returns the instant of a local date and time such as "2026-11-21T14:30", in milliseconds since the
 * epoch. If a clock change repeats the time, it is the first one; if it skips the time, the result is
 * as long after the change as the text is into the gap.
 */
export function toInstant(wallTime: string, zone: string): number {
  const wall = Date.parse(`${wallTime}Z`);
  const before = wall - getOffset(wall - DAY_MS, zone);
  const after = wall - getOffset(wall + DAY_MS, zone);
  const isShown = (at: number) => at + getOffset(at, zone) === wall;
  return isShown(after) && !isShown(before) ? after : before;
}

/** Formats an instant in a time zone as the value of a datetime-local field, to the minute. */
export function toWallTime(at: number, zone: string): string {
  return new Date(at + getOffset(at, zone)).toISOString().slice(0, 16);
}

/** Returns a zone's offset from UTC at an instant, in milliseconds. */
function getOffset(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = getWallClock(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
