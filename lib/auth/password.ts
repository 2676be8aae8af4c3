import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { findLengthProblem, MIN_PASSWORD_LENGTH } from "@/lib/domain/credentials";
import { AppError } from "@/lib/errors";

/** Each check takes 19 MiB and 10 ms of a core, so more at once would starve other requests. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 100;
/** The most common passwords that are long enough. */
const BLOCKED: ReadonlySet<string> = new Set(
  `123456789012 1234567890123 12345678901234 123123123123 111111111111 000000000000 abcdefghijkl
  abcdefghijklm qwertyuiopas qwertyuiop12 qwertyuiop123 qwerty123456 1q2w3e4r5t6y 1qaz2wsx3edc
  password1234 password12345 password123456 passwordpassword password1234! passw0rd1234 mypassword123
  iloveyou1234 iloveyouiloveyou letmein12345 letmeinletmein administrator admin1234567 welcome12345
  changeme1234 changemechangeme trustno1trustno1 football1234 baseball1234 sunshine1234 princess1234
  superman1234 dragondragon monkeymonkey correcthorsebatterystaple correct horse battery staple
  q1w2e3r4t5y6 asdfghjkl123 zxcvbnm12345 987654321098 112233445566 121212121212 aaaaaaaaaaaa`
    .split(/\s+/)
    .filter((word) => word.length >= MIN_PASSWORD_LENGTH),
);

/** Throws VALIDATION_ERROR for the field "password" if a new password is too weak. */
export function assertGoodPassword(password: string, email: string): void {
  const problem = findProblem(password, email);
  if (problem) throw new AppError("VALIDATION_ERROR", problem, { field: "password" });
}

function findProblem(password: string, email: string): string | null {
  const lengthProblem = findLengthProblem(password);
  if (lengthProblem !== null) return lengthProblem;
  const plain = password.toLowerCase();
  if (plain === email.toLowerCase()) return "Use something other than your email address.";
  if (BLOCKED.has(plain) || new Set(plain).size < 4) {
    return "This password is too common. Choose a different one.";
  }
  return null;
}

let active = 0;
const waiting: (() => void)[] = [];

/** Limits how many checks run at once. Throws RATE_LIMITED if too many wait. */
async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (active >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw new AppError("RATE_LIMITED", "Too many sign-ins at once. Try again in a moment.");
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    active += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else active -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return withSlot(() => hash(password));
}

/** The stored value of an account that has no password and can't sign in. */
export const NO_PASSWORD = "!";

let decoy: Promise<string> | undefined;

/** Checks a password against a hash. Without a hash it returns false after the same time. */
export async function isRightPassword(
  password: string,
  storedHash: string | null,
): Promise<boolean> {
  decoy ??= hashPassword("no account has this password");
  const usable = storedHash === NO_PASSWORD ? null : storedHash;
  const expected = usable ?? (await decoy);
  const matches = await withSlot(() => verify(expected, password));
  return matches && usable !== null;
}
