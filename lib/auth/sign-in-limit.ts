import "server-only";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "@/lib/errors";

const WINDOW_S = 300;

const limiter = (keyPrefix: string, points: number) =>
  new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_S });

/** All attempts from one address, whatever they are for. */
const perAddress = limiter("sign-in-address", 60);
/** Guesses at one account from one address. */
const perPair = limiter("sign-in-pair", 10);
/** Guesses at one account from everywhere, which hold up only addresses it was never used from. */
const perAccount = limiter("sign-in-account", 30);
/** Guesses at the password of whoever is signed in. */
const perSession = limiter("password-check", 10);

/** An attempt to sign in. */
export interface SignInAttempt {
  email: string;
  address: string;
}

/**
 * Counts an attempt before its password is checked. Anybody may spend an account's guesses, so they
 * are counted per address; what limits guessing from many addresses at once does not bind those
 * from which the account was used before, or it would lock its owner out.
 */
export async function countSignIn(
  { email, address }: SignInAttempt,
  isKnownAddress: () => Promise<boolean>,
): Promise<void> {
  await countAddress(address);
  await consume(perPair, pairOf({ email, address }));
  try {
    await consume(perAccount, email);
  } catch (refused) {
    if (!(await isKnownAddress())) throw refused;
  }
}

/** Takes a right password off the counts: only guesses count. */
export async function forgetSignIn(attempt: SignInAttempt): Promise<void> {
  await perPair.delete(pairOf(attempt));
  await perAccount.reward(attempt.email);
}

/** Counts what needs no password, such as a sign-up, against the address it comes from. */
export async function countAddress(address: string): Promise<void> {
  await consume(perAddress, address);
}

/** Counts a password asked for again. Who is not signed in cannot spend these. */
export async function countPasswordCheck(sessionId: string): Promise<void> {
  await consume(perSession, sessionId);
}

export async function forgetPasswordChecks(sessionId: string): Promise<void> {
  await perSession.delete(sessionId);
}

const pairOf = ({ email, address }: SignInAttempt) => `${address} ${email}`;

async function consume(limit: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limit.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const minutes = Math.max(1, Math.ceil(refused.msBeforeNext / 60_000));
    const unit = minutes === 1 ? "minute" : "minutes";
    throw new AppError("RATE_LIMITED", `Too many attempts. Try again in ${minutes} ${unit}.`);
  }
}
