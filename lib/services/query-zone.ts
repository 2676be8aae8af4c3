import "server-only";
import { findTimeZone } from "@/lib/domain/time-zones";
import { AppError } from "@/lib/errors";

/** The time zone that an address names for its days; UTC when it names none. */
export function zoneOf(query: URLSearchParams): string {
  const zone = findTimeZone(query.get("zone") ?? "UTC");
  if (zone === null) throw new AppError("VALIDATION_ERROR", "zone: is not a time zone");
  return zone;
}
