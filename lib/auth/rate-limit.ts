import "server-only";
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Principal } from "@/lib/auth/principal";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { RateClass } from "@/lib/http/routes";

/** How many seconds' worth of requests may come at once. */
const BURST = { read: 4, write: 3 } as const;
/** How long a spent burst takes to come back. */
const BURST_WINDOW_S = 10;

const limiters = new Map<RateClass, BurstyRateLimiter | null>();

/** Counts a request against the limit of its key, or of its user in a browser. Throws RATE_LIMITED with `Retry-After`. */
export async function countRequest(principal: Principal, rate: RateClass): Promise<void> {
  const limiter = limiterOf(rate);
  if (!limiter) return;
  try {
    await limiter.consume(principal.keyId ?? principal.userId);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new AppError("RATE_LIMITED", `too many requests; retry in ${seconds} s`, {
      headers: { "retry-after": String(seconds) },
    });
  }
}

function limiterOf(rate: RateClass): BurstyRateLimiter | null {
  const known = limiters.get(rate);
  if (known !== undefined) return known;
  const perSecond = rate === "read" ? env().RATE_LIMIT_READS_PER_S : env().RATE_LIMIT_WRITES_PER_S;
  const limiter = perSecond === 0 ? null : makeLimiter(rate, perSecond);
  limiters.set(rate, limiter);
  return limiter;
}

function makeLimiter(rate: RateClass, perSecond: number): BurstyRateLimiter {
  return new BurstyRateLimiter(
    new RateLimiterMemory({ keyPrefix: rate, points: perSecond, duration: 1 }),
    new RateLimiterMemory({
      keyPrefix: `${rate}-burst`,
      points: perSecond * (BURST[rate] - 1),
      duration: BURST_WINDOW_S,
    }),
  );
}
