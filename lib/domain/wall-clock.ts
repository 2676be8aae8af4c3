/**
 * What calendar and clock of a time zone say at an instant. Only numbers are taken from Intl: the
 * server's and the browser's versions of it put them into words differently ("00:05 am",
 * "12:05 am"), and a page must read the same in both.
 */
export function wallClock(at: string | number, zone: string) {
  const parts = wallClockFormat(zone).formatToParts(new Date(at));
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  };
}

/** A format costs far more to make than to use. */
const wallClockFormats = new Map<string, Intl.DateTimeFormat>();

function wallClockFormat(zone: string): Intl.DateTimeFormat {
  const known = wallClockFormats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  wallClockFormats.set(zone, made);
  return made;
}
