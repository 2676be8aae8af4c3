const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Zone {
  zone: string;
  hour12: boolean;
}

/** 3 Nov, 14:02; with the year when it is another one. */
export function formatInstant(at: string, { zone, hour12 }: Zone): string {
  const date = new Date(at);
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hour12,
  }).formatToParts(date);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const clock = `${part("hour")}:${part("minute")}${hour12 ? ` ${part("dayPeriod")}` : ""}`;
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return `${part("day")} ${part("month")}${isThisYear ? "" : ` ${part("year")}`}, ${clock}`;
}

/** 3 Nov 2025, 14:02:11.034: where the order of events matters. */
export function formatPrecise(at: string, { zone, hour12 }: Zone): string {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hour12,
  });
  return `${formatDay(at, zone)}, ${clock.format(new Date(at))}`;
}

/** 14:02:11, for what was not long ago. */
export function formatClock(at: number, { zone, hour12 }: Zone): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12,
  }).format(at);
}

/** 3 Nov 2025 */
export function formatDay(at: string, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    day: "numeric",
    month: "short",
    year: "numeric",
  }).format(new Date(at));
}

/** 2025-11-03 14:02:11 UTC */
export function formatUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** 2 min ago; null when it is more than a day away. */
export function formatRelative(at: string, nowMs: number): string | null {
  const age = nowMs - Date.parse(at);
  if (age < 0 || age >= DAY_MS) return null;
  if (age < MINUTE_MS) return "just now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  return `${Math.floor(age / HOUR_MS)} h ago`;
}

/** 3 d 4 h, 4 h 12 min, 12 min: how long until `at`; null once it has passed. */
export function formatUntil(at: string, nowMs: number): string | null {
  const left = Date.parse(at) - nowMs;
  if (left <= 0) return null;
  const days = Math.floor(left / DAY_MS);
  const hours = Math.floor((left % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : "less than a minute";
}
