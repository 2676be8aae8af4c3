import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";

const WINDOW_S = 300;
const HOUR_MS = 3_600_000;
/** The most guesses at one account from all addresses together, per sliding window. */
const GUESSES = [
  { withinMs: 600_000, most: 20 },
  { withinMs: HOUR_MS, most: 100 },
] as const;

const limiter = (keyPrefix: string, points: number) =>
  new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_S });

/** All attempts from one address, for any account. */
const perAddress = limiter("sign-in-address", 60);
/** Guesses at one account from one address. */
const perPair = limiter("sign-in-pair", 10);
/** Guesses at the password of a signed-in user in one session. */
const perSession = limiter("password-check", 10);

/** The times of the guesses at each account's password during the last hour. */
class GuessLog {
  /** Ordered by the last guess, oldest first. */
  private readonly times = new Map<string, number[]>();

  /** Returns the milliseconds until another guess is allowed, or 0. */
  computeWaitMs(account: string): number {
    const times = this.times.get(account) ?? [];
    const waits = GUESSES.map(({ withinMs, most }) => {
      const oldest = times.at(-most);
      return oldest === undefined ? 0 : oldest + withinMs - now();
    });
    return Math.max(0, ...waits);
  }

  /** Records a guess. Returns a function that removes it. */
  record(account: string): () => void {
    const at = now();
    const times = (this.times.get(account) ?? []).filter((time) => time > at - HOUR_MS);
    times.push(at);
    this.times.delete(account);
    this.times.set(account, times);
    for (const [other, old] of this.times) {
      if ((old.at(-1) ?? 0) > at - HOUR_MS) break;
      this.times.delete(other);
    }
    return () => {
      const recorded = this.times.get(account) ?? [];
      const index = recorded.lastIndexOf(at);
      if (index >= 0) recorded.splice(index, 1);
    };
  }
}

/** Guesses at the sign-in from all addresses. They delay only addresses that the account never used. */
const signInGuesses = new GuessLog();
/** Guesses of signed-in browsers, all sessions together. Callers without a session can't use them up. */
const signedInGuesses = new GuessLog();

export interface SignInAttempt {
  email: string;
  address: string;
}

/**
 * Counts a sign-in attempt before its password is checked. Throws RATE_LIMITED. Anyone can guess at an
 * account, so the limit over all addresses doesn't apply to addresses that signed in to it before;
 * otherwise an attacker could lock out the owner.
 *
 * @returns removes the attempt from the counts, for a correct password.
 */
export async function countSignIn(
  { email, address }: SignInAttempt,
  isKnownAddress: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  await countAddress(address);
  const pair = `${address} ${email}`;
  await consume(perPair, pair);
  const waitMs = signInGuesses.computeWaitMs(email);
  if (waitMs > 0 && !(await isKnownAddress())) throw tooMany(waitMs);
  const forget = waitMs > 0 ? () => undefined : signInGuesses.record(email);
  return async () => {
    forget();
    await perPair.delete(pair);
  };
}

/** Counts an attempt without a password, such as a sign-up, by its address. Throws RATE_LIMITED. */
export async function countAddress(address: string): Promise<void> {
  await consume(perAddress, address);
}

/**
 * Counts a password check of a signed-in user, per session and for all sessions of the account
 * together. The check also counts as a guess at the sign-in. Throws RATE_LIMITED.
 *
 * @returns removes the check from the counts, for a correct password.
 */
export async function countPasswordCheck({
  sessionId,
  email,
}: {
  sessionId: string;
  email: string;
}): Promise<() => Promise<void>> {
  await consume(perSession, sessionId);
  const waitMs = signedInGuesses.computeWaitMs(email);
  if (waitMs > 0) throw tooMany(waitMs);
  const forget = [signedInGuesses.record(email), signInGuesses.record(email)];
  return async () => {
    for (const remove of forget) remove();
    await perSession.delete(sessionId);
  };
}

async function consume(limit: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limit.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw tooMany(refused.msBeforeNext);
  }
}

function tooMany(waitMs: number): AppError {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  const unit = minutes === 1 ? "minute" : "minutes";
  return new AppError("RATE_LIMITED", `Too many attempts. Try again in ${minutes} ${unit}.`);
}
