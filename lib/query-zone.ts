import "server-only";
import { findTimeZone } from "@/lib/domain/time-zones";
import { AppError } from "@/lib/errors";

/** Returns the time zone of a URL's days, UTC by default. Throws VALIDATION_ERROR for an unknown one. */
export function parseZone(query: URLSearchParams): string {
  const zone = findTimeZone(query.get("zone") ?? "UTC");
  if (zone === null) throw new AppError("VALIDATION_ERROR", "zone: must be a time zone");
  return zone;
}
