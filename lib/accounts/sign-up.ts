import "server-only";
import { assertGoodPassword } from "@/lib/auth/password";
import { countAddress } from "@/lib/auth/sign-in-limit";
import { isUniqueViolation } from "@/lib/db/errors";
import { checkSignUp, type Credentials } from "@/lib/domain/credentials";
import { AppError } from "@/lib/errors";
import { type Browser, startSession, type StartedSession } from "@/lib/auth/start-session";
import { createUser } from "@/lib/accounts/create-user";
import { usdc } from "@/lib/units";

/** The paper money that a new account starts with. */
export const WELCOME_DEPOSIT = usdc(10_000_000_000n);

/** Creates a paper account and signs in its owner. */
export async function signUp(input: Credentials, browser: Browser): Promise<StartedSession> {
  const email = input.email.trim().toLowerCase();
  const [problem] = checkSignUp({ email, password: input.password });
  if (problem) throw new AppError("VALIDATION_ERROR", problem.message, { field: problem.field });
  // Accounts of sandbox wallets use this domain.
  if (email.endsWith(".invalid")) {
    throw new AppError("VALIDATION_ERROR", "Enter an email address that can receive mail.", {
      field: "email",
    });
  }
  assertGoodPassword(input.password, email);
  await countAddress(browser.address);
  try {
    const { userId } = await createUser({
      email,
      password: input.password,
      deposit: WELCOME_DEPOSIT,
      key: null,
    });
    return await startSession(userId, browser);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError(
      "VALIDATION_ERROR",
      "An account with this email already exists. Sign in instead.",
      {
        field: "email",
      },
    );
  }
}
