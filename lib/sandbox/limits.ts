import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientAddress } from "@/lib/auth/client-address";
import { env } from "@/lib/env";
import { SandboxError } from "@/lib/sandbox/error";

/** Requests a second from one address; a burst may be BURST_S seconds' worth. */
const PER_SECOND = 100;
const BURST_S = 4;
/** Each new wallet adds rows that are never deleted. */
const NEW_KEYS_PER_MINUTE = 60;

const requests = new RateLimiterMemory({
  keyPrefix: "sandbox",
  points: PER_SECOND * BURST_S,
  duration: BURST_S,
});
const keys = new RateLimiterMemory({
  keyPrefix: "sandbox-keys",
  points: NEW_KEYS_PER_MINUTE,
  duration: 60,
});

/** Counts a request of an address. Throws 429. Off with RATE_LIMIT_READS_PER_S=0. */
export function countSandboxRequest(headers: Headers): Promise<void> {
  return count(requests, headers);
}

/** Counts a new API key of an address. Throws 429. */
export function countSandboxKey(headers: Headers): Promise<void> {
  return count(keys, headers);
}

async function count(limiter: RateLimiterMemory, headers: Headers): Promise<void> {
  if (env().RATE_LIMIT_READS_PER_S === 0) return;
  try {
    await limiter.consume(clientAddress(headers));
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw new SandboxError(429, "Too Many Requests");
  }
}
