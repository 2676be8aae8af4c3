/**
 * Returns date and time in a time zone at an instant. Takes only numbers from Intl, because the texts of
 * the server's and the browser's versions differ ("00:05 am", "12:05 am").
 */
export function getWallClock(at: string | number, zone: string) {
  const parts = getFormat(zone).formatToParts(new Date(at));
  const getPart = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: getPart("year"),
    month: getPart("month"),
    day: getPart("day"),
    hour: getPart("hour"),
    minute: getPart("minute"),
    second: getPart("second"),
  };
}

/** Creating a format is far slower than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}
