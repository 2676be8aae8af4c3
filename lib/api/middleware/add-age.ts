import "server-only";
import type { Middleware } from "@/lib/api/middleware/middleware";
import { now } from "@/lib/clock";
import { withVenueTime } from "@/lib/venue-time";

/**
 * Adds `Age` in whole seconds (RFC 9111, 5.1) to a live response: how long ago the venue reported its
 * content. There is no header while that is unknown, such as before the first comparison of an
 * account.
 */
export const addAge: Middleware = async (context, next) => {
  const { age } = context.operation;
  if (age === undefined || context.principal?.mode !== "live") return next();
  // On Node 20, the first use of an async context slows every promise of the process.
  const { value: reply, readAt } =
    age === "figures" ? await withVenueTime(next) : { value: await next(), readAt: null };
  const at = age === "figures" ? readAt : context.comparedAt;
  if (at !== null && reply.answer.status === 200 && !reply.isLost) {
    context.headers["Age"] = String(Math.max(0, Math.floor((now() - at) / 1_000)));
  }
  return reply;
};
