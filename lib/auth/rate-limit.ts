import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { getDatabase } from "@/lib/db/client";
import { takeWrite } from "@/lib/db/queries/write-quotas";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The limit that a request counts against. */
export type RateClass = "read" | "write";

/** The size of a burst, in seconds of requests at the limit's rate. */
const BURST_S = { read: 4, write: 3 } as const;
const POLICY_NAMES = { read: "reads", write: "writes" } as const;
/** Postgres keeps seconds since 1970 as a floating point number, which is this exact. */
const ROUNDING = 0.000_01;
/** From this many callers on, full buckets are dropped. */
const MAX_CALLERS = 10_000;

/**
 * A caller's remaining quota, as a token bucket: it holds `quota` requests and fills up by
 * `perSecond` each second.
 */
interface Bucket {
  tokens: number;
  /** Monotonic milliseconds. */
  filledAt: number;
}

interface Limiter {
  quota: number;
  perSecond: number;
  buckets: Map<string, Bucket>;
}

const limiters = new Map<RateClass, Limiter | null>();

/** The state of the caller's limit after a request. */
export interface RateState {
  isAllowed: boolean;
  /** `RateLimit-Policy` and `RateLimit`, by the IETF draft (draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>;
  retryAfterS: number;
}

/**
 * Counts a request against the limit of its key, or of its user in a browser. Returns null if there
 * is no limit. Writes are counted in Postgres, so that all processes together allow what one does. Reads
 * are counted in this process, because a round trip costs more than most of them. The embedded database
 * has one process.
 */
export async function takeRequest(
  { keyId, userId }: Principal,
  rate: RateClass,
): Promise<RateState | null> {
  const limiter = getLimiter(rate);
  if (!limiter) return null;
  const caller = keyId ?? userId;
  if (rate === "read" || (await getDatabase()).kind === "embedded") {
    return describeState(takeHere(limiter, caller), limiter, rate);
  }
  const { isAllowed, fullInS } = await takeWrite(caller, limiter);
  const tokens = limiter.quota - fullInS * limiter.perSecond;
  return describeState({ isAllowed, tokens }, limiter, rate);
}

interface Taken {
  isAllowed: boolean;
  /** Requests that the bucket still allows now. */
  tokens: number;
}

function takeHere(limiter: Limiter, caller: string): Taken {
  const nowMs = performance.now();
  const bucket = limiter.buckets.get(caller) ?? addBucket(limiter, caller, nowMs);
  refill(bucket, limiter, nowMs);
  const isAllowed = bucket.tokens >= 1;
  if (isAllowed) bucket.tokens -= 1;
  return { isAllowed, tokens: bucket.tokens };
}

function describeState(
  { isAllowed, tokens }: Taken,
  { quota, perSecond }: Limiter,
  rate: RateClass,
): RateState {
  const remaining = Math.max(0, Math.floor(tokens + ROUNDING));
  const resetS = Math.ceil((quota - tokens) / perSecond - ROUNDING);
  const name = POLICY_NAMES[rate];
  return {
    isAllowed,
    retryAfterS: isAllowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    headers: {
      "ratelimit-policy": `"${name}";q=${quota};w=${BURST_S[rate]}`,
      ratelimit: `"${name}";r=${remaining};t=${resetS}`,
    },
  };
}

/** Builds the error of a request beyond the limit. */
export function rateLimited({ retryAfterS }: RateState): AppError {
  return new AppError("RATE_LIMITED", `Too many requests. Retry in ${retryAfterS} s.`, {
    headers: { "retry-after": String(retryAfterS) },
  });
}

/** Counts a request. Throws RATE_LIMITED with `Retry-After` if it exceeds the limit. */
export async function countRequest(principal: Principal, rate: RateClass): Promise<void> {
  const state = await takeRequest(principal, rate);
  if (state && !state.isAllowed) throw rateLimited(state);
}

function refill(bucket: Bucket, { quota, perSecond }: Limiter, nowMs: number): void {
  const gained = ((nowMs - bucket.filledAt) / 1000) * perSecond;
  bucket.tokens = Math.min(quota, bucket.tokens + gained);
  bucket.filledAt = nowMs;
}

function addBucket(limiter: Limiter, caller: string, nowMs: number): Bucket {
  if (limiter.buckets.size >= MAX_CALLERS) dropFull(limiter, nowMs);
  const bucket = { tokens: limiter.quota, filledAt: nowMs };
  limiter.buckets.set(caller, bucket);
  return bucket;
}

function dropFull({ quota, perSecond, buckets }: Limiter, nowMs: number): void {
  for (const [caller, { tokens, filledAt }] of buckets) {
    if (tokens + ((nowMs - filledAt) / 1000) * perSecond >= quota) buckets.delete(caller);
  }
}

function getLimiter(rate: RateClass): Limiter | null {
  const existing = limiters.get(rate);
  if (existing !== undefined) return existing;
  const perSecond = rate === "read" ? env().RATE_LIMIT_READS_PER_S : env().RATE_LIMIT_WRITES_PER_S;
  const limiter =
    perSecond === 0 ? null : { quota: perSecond * BURST_S[rate], perSecond, buckets: new Map() };
  limiters.set(rate, limiter);
  return limiter;
}
