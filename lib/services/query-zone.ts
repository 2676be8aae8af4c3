import "server-only";
import { AppError } from "@/lib/errors";

/** The time zone that an address names for its days; UTC when it names none. */
export function zoneOf(query: URLSearchParams): string {
  const zone = query.get("zone") ?? "UTC";
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new AppError("VALIDATION_ERROR", "zone: is not a time zone");
  }
}
