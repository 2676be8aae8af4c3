import { addDay } from "@/lib/domain/days";

/** The periodic checks of the books on one day. */
export interface CheckedDay {
  /** The day in UTC: 2026-11-29. */
  day: string;
  checks: number;
  /** How many of the checks found mismatches. */
  failed: number;
}

/** How many days are kept, the current one included. */
export const KEPT_DAYS = 30;

/** Adds a check to its day. Days are in order of time, and those without a check are left out. */
export function addCheck(days: readonly CheckedDay[], at: Date, problems: number): CheckedDay[] {
  const [today, [first]] = [toDay(at), listDays(at)];
  const { checks, failed } = days.find(({ day }) => day === today) ?? { checks: 0, failed: 0 };
  const others = days.filter(({ day }) => day !== today && day >= first);
  const current = { day: today, checks: checks + 1, failed: failed + (problems > 0 ? 1 : 0) };
  return [...others, current].toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

/** Lists the kept days up to the one of an instant, oldest first. */
export function listDays(at: Date): readonly [string, ...string[]] {
  const first = new Date(at);
  first.setUTCDate(first.getUTCDate() - KEPT_DAYS + 1);
  const days: [string, ...string[]] = [toDay(first)];
  while (days.length < KEPT_DAYS) days.push(addDay(days.at(-1) ?? days[0]));
  return days;
}

const toDay = (at: Date) => at.toISOString().slice(0, 10);
