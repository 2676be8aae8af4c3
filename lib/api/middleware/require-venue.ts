import "server-only";
import type { Middleware } from "@/lib/api/middleware/middleware";
import { getVenue } from "@/lib/venues";

/** Refuses a caller whose venue is switched off. Such a key can only ask for its own description. */
export const requireVenue: Middleware = async ({ principal, operation }, next) => {
  if (principal && operation.access !== "key") getVenue(principal.mode);
  return next();
};
