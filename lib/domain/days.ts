import { getWallClock } from "@/lib/domain/wall-clock";
import { toInstant } from "@/lib/domain/wall-time";

const DAY_TEXT = /^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/**
 * Returns whether a text is a day of 1970 to 2999 such as a date field sends: "2026-11-21". The limits
 * exclude years that are still being typed, such as 0020.
 */
export function isDay(text: string): boolean {
  return DAY_TEXT.test(text) && new Date(`${text}T00:00Z`).toISOString().startsWith(text);
}

/**
 * Returns the instant at which a day begins in a time zone, in milliseconds since the epoch. If a clock
 * change repeats midnight, it is the first one; if it skips midnight, it is the moment of the change.
 */
export function toStartOfDay(day: string, zone: string): number {
  return toInstant(`${day}T00:00`, zone);
}

/** Returns the following day. */
export function addDay(day: string): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/** Returns the month of an instant in a time zone: "2026-11". */
export function toMonth(at: Date | string, zone: string): string {
  const { year, month } = getWallClock(typeof at === "string" ? at : at.getTime(), zone);
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}

/** Returns the month after one: "2027-01" for "2026-12". */
export const nextMonth = (month: string): string => shiftMonth(month, 1);

/** Returns the month before one: "2025-12" for "2026-01". */
export const previousMonth = (month: string): string => shiftMonth(month, -1);

function shiftMonth(month: string, by: 1 | -1): string {
  const first = new Date(`${month}-01T00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + by);
  return first.toISOString().slice(0, 7);
}

/** Returns the last day of a month: "2028-02-29" for "2028-02". */
export function toLastDay(month: string): string {
  const last = new Date(`${nextMonth(month)}-01T00:00Z`);
  last.setUTCDate(0);
  return last.toISOString().slice(0, 10);
}
