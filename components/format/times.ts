import { getWallClock } from "@/lib/domain/wall-clock";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Zone {
  zone: string;
  hour12: boolean;
}

/** 3 Nov, 14:02; with the year if it isn't the current one. */
export function formatInstant(at: string, { zone, hour12 }: Zone): string {
  const { year, month, day, hour, minute } = getWallClock(at, zone);
  const isThisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear();
  const date = `${day} ${monthName(month)}${isThisYear ? "" : ` ${year}`}`;
  return `${date}, ${formatClockText(hour, two(minute), hour12)}`;
}

/** 3 Nov, 14:02, with UTC where the user's zone isn't known, for pages without JavaScript. */
export function formatUpdated(at: number, clock: Zone): string {
  const text = formatInstant(new Date(at).toISOString(), clock);
  return clock.zone === "UTC" ? `${text} UTC` : text;
}

/** 3 Nov 2025, 14:02:11, for events whose order matters. */
export function formatPrecise(at: string, clock: Zone): string {
  return `${formatDay(at, clock.zone)}, ${formatClock(Date.parse(at), clock)}`;
}

/** 14:02, where a heading has the day. */
export function formatTimeOfDay(at: string, { zone, hour12 }: Zone): string {
  const { hour, minute } = getWallClock(at, zone);
  return formatClockText(hour, two(minute), hour12);
}

/** 14:02:11, for recent times. */
export function formatClock(at: number, { zone, hour12 }: Zone): string {
  const { hour, minute, second } = getWallClock(at, zone);
  return formatClockText(hour, `${two(minute)}:${two(second)}`, hour12);
}

/** 3 Nov 2025 */
export function formatDay(at: string, zone: string): string {
  const { year, month, day } = getWallClock(at, zone);
  return `${day} ${monthName(month)} ${year}`;
}

/** Today, Yesterday, or 3 Nov 2025. */
export function formatRecentDay(at: string, zone: string, nowMs: number): string {
  const day = formatDay(at, zone);
  const dayBefore = (days: number) =>
    formatDay(new Date(nowMs - days * DAY_MS).toISOString(), zone);
  if (day === dayBefore(0)) return "Today";
  return day === dayBefore(1) ? "Yesterday" : day;
}

/** November 2026, from "2026-11". */
export function formatMonth(month: string): string {
  const [year = "", number = ""] = month.split("-");
  return `${LONG_MONTHS[Number(number) - 1] ?? ""} ${year}`;
}

const LONG_MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const monthName = (month: number) => MONTHS[month - 1] ?? "";
const two = (part: number) => String(part).padStart(2, "0");

/** 14:02, or 2:02 pm. */
function formatClockText(hour: number, rest: string, hour12: boolean): string {
  if (!hour12) return `${two(hour)}:${rest}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}:${rest} ${hour < 12 ? "am" : "pm"}`;
}

/** 2025-11-03 14:02:11 UTC */
export function formatUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** 2 min ago; null for times more than a day away. */
export function formatRelative(at: string, nowMs: number): string | null {
  const age = nowMs - Date.parse(at);
  if (age < 0 || age >= DAY_MS) return null;
  if (age < MINUTE_MS) return "just now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  return `${Math.floor(age / HOUR_MS)} h ago`;
}

/** 2 min ago, 3 d ago: for a column of ages. */
export function formatAge(at: string, nowMs: number): string {
  return formatRelative(at, nowMs) ?? `${Math.floor((nowMs - Date.parse(at)) / DAY_MS)} d ago`;
}

/** The time until `at`: 3 d 4 h, 4 h 12 min, 12 min, <1 min; null once it has passed. */
export function formatUntil(at: string, nowMs: number): string | null {
  return writeUntil(at, nowMs, {
    least: "<1 min",
    write: (count, { short }) => `${count} ${short}`,
  });
}

/** The same in words, as screen readers read it: 3 days 4 hours. */
export function spellUntil(at: string, nowMs: number): string | null {
  return writeUntil(at, nowMs, {
    least: "less than a minute",
    write: (count, { long }) => `${count} ${long}${count === 1 ? "" : "s"}`,
  });
}

const UNITS = [
  { ms: DAY_MS, short: "d", long: "day" },
  { ms: HOUR_MS, short: "h", long: "hour" },
  { ms: MINUTE_MS, short: "min", long: "minute" },
] as const;

interface UntilWords {
  /** The text within the last minute. */
  least: string;
  write: (count: number, unit: (typeof UNITS)[number]) => string;
}

/** Writes the largest unit and the one below it. */
function writeUntil(at: string, nowMs: number, { least, write }: UntilWords): string | null {
  let left = Date.parse(at) - nowMs;
  if (left <= 0) return null;
  const largest = UNITS.findIndex(({ ms }) => left >= ms);
  if (largest === -1) return least;
  const counts = UNITS.slice(largest, largest + 2).map((unit) => {
    const count = Math.floor(left / unit.ms);
    left %= unit.ms;
    return write(count, unit);
  });
  return counts.join(" ");
}

/** The whole days until `at`: 325 d; the hours and minutes within a day. */
export function formatDaysUntil(at: string, nowMs: number): string | null {
  const days = Math.floor((Date.parse(at) - nowMs) / DAY_MS);
  return days > 0 ? `${days} d` : formatUntil(at, nowMs);
}

/** Describes a time zone: "Berlin time" for Europe/Berlin, "UTC" for UTC. */
export function formatZone(zone: string): string {
  const place = zone.split("/").slice(1).at(-1);
  return place === undefined ? zone : `${place.replaceAll("_", " ")} time`;
}
