import "server-only";
import type { Middleware } from "@/lib/api/middleware/middleware";
import { rateLimited, takeRequest } from "@/lib/auth/rate-limit";

/** Counts the request against the caller's limit, and refuses it beyond the limit. */
export const limitRate: Middleware = async ({ principal, operation, headers }, next) => {
  const state = principal && (await takeRequest(principal, operation.rate));
  if (state) Object.assign(headers, state.headers);
  if (state && !state.isAllowed) throw rateLimited(state);
  return next();
};
