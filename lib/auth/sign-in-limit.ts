import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";

const WINDOW_S = 300;
const HOUR_MS = 3_600_000;
/** The most guesses at one account from all addresses together, per sliding window. */
const PASSWORD_GUESSES = [
  { withinMs: 600_000, most: 20 },
  { withinMs: HOUR_MS, most: 100 },
] as const;
/**
 * The most guesses at the six digits of one account's authenticator app. Three codes of a million are
 * right at a time, so that a day of guesses succeeds once in more than 6,000.
 */
const CODE_GUESSES = [
  { withinMs: 600_000, most: 10 },
  { withinMs: 24 * HOUR_MS, most: 50 },
] as const;

const limiter = (keyPrefix: string, points: number) =>
  new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_S });

/** All attempts from one address, for any account. */
const perAddress = limiter("sign-in-address", 60);
/** Guesses at one account from one address. */
const perPair = limiter("sign-in-pair", 10);
/** Guesses at the password of a signed-in user in one session. */
const perSession = limiter("password-check", 10);
/** Guesses at the second factor in one session, or in one sign-in that waits for it. */
const perFactorSession = limiter("factor-check", 10);

interface GuessBound {
  withinMs: number;
  most: number;
}

/** The times of the guesses at each account during the longest window of its bounds. */
class GuessLog {
  /** Ordered by the last guess, oldest first. */
  private readonly times = new Map<string, number[]>();
  private readonly keptMs: number;

  constructor(private readonly bounds: readonly GuessBound[]) {
    this.keptMs = Math.max(...bounds.map(({ withinMs }) => withinMs));
  }

  /** Returns the milliseconds until another guess is allowed, or 0. */
  computeWaitMs(account: string): number {
    const times = this.times.get(account) ?? [];
    const waits = this.bounds.map(({ withinMs, most }) => {
      const oldest = times.at(-most);
      return oldest === undefined ? 0 : oldest + withinMs - now();
    });
    return Math.max(0, ...waits);
  }

  /** Records a guess. Returns a function that removes it. */
  record(account: string): () => void {
    const at = now();
    const times = (this.times.get(account) ?? []).filter((time) => time > at - this.keptMs);
    times.push(at);
    this.times.delete(account);
    this.times.set(account, times);
    for (const [other, old] of this.times) {
      if ((old.at(-1) ?? 0) > at - this.keptMs) break;
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
const signInGuesses = new GuessLog(PASSWORD_GUESSES);
/** Guesses of signed-in browsers, all sessions together. Callers without a session can't use them up. */
const signedInGuesses = new GuessLog(PASSWORD_GUESSES);
/** Guesses at the six digits of an authenticator app. Only callers with the password can use them up. */
const codeGuesses = new GuessLog(CODE_GUESSES);

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

/**
 * Counts a check of a second factor, per session and, for the six digits of an app, per account.
 * Recovery codes and passkeys are too long to guess, so they work when guesses at the app's digits
 * are used up. Throws RATE_LIMITED.
 *
 * @returns removes the check from the counts, for a right factor.
 */
export async function countFactorCheck(
  { id, email }: { id: string; email: string },
  isGuessable: boolean,
): Promise<() => Promise<void>> {
  await consume(perFactorSession, id);
  const waitMs = isGuessable ? codeGuesses.computeWaitMs(email) : 0;
  if (waitMs > 0) throw tooMany(waitMs);
  const forget = isGuessable ? codeGuesses.record(email) : () => undefined;
  return async () => {
    forget();
    await perFactorSession.delete(id);
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
