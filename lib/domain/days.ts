import { wallClock } from "@/lib/domain/wall-clock";

const DAY_TEXT = /^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DAY_MS = 24 * 3600 * 1000;

/**
 * Whether a text is a day such as a date field sends: "2026-11-21". A year that is still being typed,
 * such as 0020, is none: days are those of 1970 to 2999.
 */
export function isDay(text: string): boolean {
  return DAY_TEXT.test(text) && new Date(`${text}T00:00Z`).toISOString().startsWith(text);
}

/**
 * The instant at which a day begins in a time zone, in milliseconds since the epoch: the first of two
 * midnights, and the moment of the change where the clocks leave midnight out.
 */
export function startOfDay(day: string, zone: string): number {
  const wall = Date.parse(`${day}T00:00Z`);
  const before = wall - offsetAt(wall - DAY_MS, zone);
  const after = wall - offsetAt(wall + DAY_MS, zone);
  const isMidnight = (at: number) => at + offsetAt(at, zone) === wall;
  return isMidnight(after) && !isMidnight(before) ? after : before;
}

/** The day after. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
