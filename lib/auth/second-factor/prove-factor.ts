import "server-only";
import { checkPasskey, type Prover } from "@/lib/auth/second-factor/check-passkey";
import { checkRecoveryCode } from "@/lib/auth/second-factor/recovery-codes";
import { checkTotp } from "@/lib/auth/second-factor/totp";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { countAddress, countFactorCheck } from "@/lib/auth/sign-in-limit";
import { getDb } from "@/lib/db/client";
import { AppError } from "@/lib/errors";

/** The proof that a form sends. An empty text counts as missing. */
export interface Proof {
  /** The client's address. */
  address: string;
  password?: string;
  /** A code of the authenticator app, or a recovery code. */
  code?: string;
  /** The browser's response to a passkey challenge, as JSON. */
  passkey?: string;
}

/**
 * Checks a second factor and uses it up. Throws SECOND_FACTOR_REQUIRED without one, VALIDATION_ERROR
 * for a wrong one and RATE_LIMITED.
 */
export async function proveFactor(prover: Prover, proof: Proof): Promise<void> {
  const { address, passkey = "" } = proof;
  const code = (proof.code ?? "").replaceAll(/[\s-]/g, "");
  if (passkey === "" && code === "") {
    throw new AppError("SECOND_FACTOR_REQUIRED", "Confirm with your second factor to continue.", {
      field: "code",
    });
  }
  const isAppCode = passkey === "" && /^\d{6}$/.test(code);
  await countAddress(address);
  const forgetCheck = await countFactorCheck(prover, isAppCode);
  if (!(await check(prover, { code, passkey, isAppCode }))) throw await refuse(prover, proof);
  await forgetCheck();
}

function check(
  prover: Prover,
  { code, passkey, isAppCode }: { code: string; passkey: string; isAppCode: boolean },
): Promise<boolean> {
  if (passkey !== "") return checkPasskey(prover, passkey);
  return isAppCode ? checkTotp(prover.userId, code) : checkRecoveryCode(prover, code);
}

async function refuse({ id, userId }: Prover, { address, passkey }: Proof): Promise<AppError> {
  await recordSecurityEvent(await getDb(), {
    userId,
    kind: "factor_refused",
    sessionId: id,
    detail: { address: address.slice(0, 100) },
  });
  return passkey
    ? new AppError("VALIDATION_ERROR", "That passkey wasn\u2019t accepted. Try again.", {
        field: "passkey",
      })
    : new AppError(
        "VALIDATION_ERROR",
        "That code is wrong or was used already. Wait for a new one.",
        { field: "code" },
      );
}
