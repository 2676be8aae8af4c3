import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "@/lib/errors";

const WINDOW_S = 300;
const perAccount = new RateLimiterMemory({
  keyPrefix: "sign-in-account",
  points: 10,
  duration: WINDOW_S,
});
const perAddress = new RateLimiterMemory({
  keyPrefix: "sign-in-address",
  points: 60,
  duration: WINDOW_S,
});

/** Counts an attempt to sign in against the account and the address it comes from. */
export async function countSignIn(email: string, address: string): Promise<void> {
  await countAddress(address);
  await consume(perAccount, email);
}

/** Counts what needs no password, such as a sign-up, against the address it comes from. */
export async function countAddress(address: string): Promise<void> {
  await consume(perAddress, address);
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const minutes = Math.max(1, Math.ceil(refused.msBeforeNext / 60_000));
    const unit = minutes === 1 ? "minute" : "minutes";
    throw new AppError("RATE_LIMITED", `Too many attempts. Try again in ${minutes} ${unit}.`);
  }
}

/** A right password clears the account's count. */
export async function forgetSignIns(email: string): Promise<void> {
  await perAccount.delete(email);
}
