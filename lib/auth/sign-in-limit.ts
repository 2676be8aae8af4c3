import "server-only";
import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { limitStore } from "@/lib/db/limit-store";
import { now } from "@/lib/clock";
import { type GuessBound, recordGuess, removeGuess } from "@/lib/db/queries/guess-logs";
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

/** All processes count in one table. */
const limiter = (keyPrefix: string, points: number) =>
  new RateLimiterPostgres({
    keyPrefix,
    points,
    duration: WINDOW_S,
    storeClient: limitStore,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    // forget-attempts.ts deletes what has ended.
    clearExpiredByTimeout: false,
  });

/** All attempts from one address, for any account. */
const perAddress = limiter("sign-in-address", 60);
/** Guesses at one account from one address. */
const perPair = limiter("sign-in-pair", 10);
/** Guesses at the password of a signed-in user in one session. */
const perSession = limiter("password-check", 10);
/** Guesses at the second factor in one session, or in one sign-in that waits for it. */
const perFactorSession = limiter("factor-check", 10);

/** Guesses at the sign-in from all addresses. They delay only addresses that the account never used. */
const signInGuesses = { name: "sign-in", bounds: PASSWORD_GUESSES };
/** Guesses of signed-in browsers, all sessions together. Callers without a session can't use them up. */
const signedInGuesses = { name: "signed-in", bounds: PASSWORD_GUESSES };
/** Guesses at the six digits of an authenticator app. Only callers with the password can use them up. */
const codeGuesses = { name: "code", bounds: CODE_GUESSES };

interface GuessLimit {
  name: string;
  bounds: readonly GuessBound[];
}

/** Records a guess at an account, or finds that it has to wait. */
async function record(
  { name, bounds }: GuessLimit,
  email: string,
): Promise<{ waitMs: number; forget: () => Promise<void> }> {
  const at = now();
  const key = `${name}:${hash(email)}`;
  const waitMs = await recordGuess(key, bounds, at);
  return { waitMs, forget: async () => (waitMs === 0 ? removeGuess(key, at) : undefined) };
}

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
  const { waitMs, forget } = await record(signInGuesses, email);
  if (waitMs > 0 && !(await isKnownAddress())) throw tooMany(waitMs);
  return async () => {
    await forget();
    await perPair.delete(hash(pair));
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
  const check = await record(signedInGuesses, email);
  if (check.waitMs > 0) throw tooMany(check.waitMs);
  const guess = await record(signInGuesses, email);
  return async () => {
    await check.forget();
    await guess.forget();
    await perSession.delete(hash(sessionId));
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
  const guess = isGuessable ? await record(codeGuesses, email) : null;
  if (guess !== null && guess.waitMs > 0) throw tooMany(guess.waitMs);
  return async () => {
    await guess?.forget();
    await perFactorSession.delete(hash(id));
  };
}

/** Emails and addresses are stored as hashes only. */
const hash = (text: string) => createHash("sha256").update(text).digest("base64url");

async function consume(limit: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limit.consume(hash(key));
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
