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
