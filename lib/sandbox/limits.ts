import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientAddress } from "@/lib/auth/client-address";
import { env } from "@/lib/env";
import { SandboxError } from "@/lib/sandbox/error";

/** Requests a second from one address, and how many seconds' worth may come at once. */
const PER_SECOND = 100;
const BURST_S = 4;
/** New wallets cost rows for ever. */
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

/** Counts a request of an address. Off with RATE_LIMIT_READS_PER_S=0, as everywhere. */
export function countSandboxRequest(headers: Headers): Promise<void> {
  return count(requests, headers);
}

/** Counts a new API key of an address. */
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

let underWay: Promise<unknown> = Promise.resolve();

/**
 * Runs costly reads one after another, and lets everybody else in between: the market data that one
 * request may ask for would otherwise hold up every order.
 */
export async function inTurn<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const turn = underWay.then(async () => {
    const results: R[] = [];
    for (const item of items) {
      results.push(await read(item));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return results;
  });
  underWay = turn.catch(() => undefined);
  return turn;
}
