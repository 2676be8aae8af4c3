import "server-only";
import type { StartPasskeyCheck } from "@/components/security/passkey-button";
import { type Prover, startPasskeyCheck } from "@/lib/auth/second-factor/check-passkey";
import { AppError } from "@/lib/errors";

/** Creates a passkey challenge, or returns why there is none. */
export async function createPasskeyCheck(
  prover: Pick<Prover, "id" | "userId">,
): ReturnType<StartPasskeyCheck> {
  try {
    return { status: "ready", options: await startPasskeyCheck(prover) };
  } catch (error) {
    if (error instanceof AppError) return { status: "failed", message: error.message };
    throw error;
  }
}
