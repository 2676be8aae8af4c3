import { wallClock } from "@/lib/domain/wall-clock";

const DAY_TEXT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Whether a text is a day such as a date field sends: "2026-11-21". */
export function isDay(text: string): boolean {
  return DAY_TEXT.test(text) && new Date(`${text}T00:00Z`).toISOString().startsWith(text);
}

/** The instant at which a day begins in a time zone, in milliseconds since the epoch. */
export function startOfDay(day: string, zone: string): number {
  const wall = Date.parse(`${day}T00:00Z`);
  // The offset may change during the guess's error, so it is looked up once more.
  const guess = wall - offsetAt(wall, zone);
  return wall - offsetAt(guess, zone);
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
