import "server-only";
import { randomBytes } from "node:crypto";
import { hashKey } from "@/lib/auth/secret-hash";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { replaceRecoveryCodes, useRecoveryCode } from "@/lib/db/queries/recovery-codes";

const CODES = 10;
/** 16 letters of 5 bits. */
const LETTERS = 16;
/** Without letters that look like others. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz023456789";

/** Replaces the recovery codes of a user. Only hashes are stored, so only this call returns them. */
export async function createRecoveryCodes(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, createCode);
  const hashes = codes.map((code) => hashCode(userId, code));
  await replaceRecoveryCodes(tx, userId, hashes);
  await recordSecurityEvent(tx, { userId, kind: "recovery_codes_created", sessionId });
  return codes;
}

/** Uses up a typed recovery code. Returns false if it is wrong or was used before. */
export async function checkRecoveryCode(
  holder: { id: string; userId: string },
  typed: string,
): Promise<boolean> {
  const { id: sessionId, userId } = holder;
  return withTransaction(async (tx) => {
    const codeHash = hashCode(userId, typed);
    if (!(await useRecoveryCode(tx, { userId, codeHash }, new Date(now())))) return false;
    await recordSecurityEvent(tx, { userId, kind: "recovery_code_used", sessionId });
    return true;
  });
}

function createCode(): string {
  // 256 is a multiple of the 32 letters.
  const letters = [...randomBytes(LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length] ?? "");
  return letters.join("").replaceAll(/(.{4})(?!$)/g, "$1-");
}

/** Ignores case, spaces and hyphens. */
function hashCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return hashKey(`recovery code ${userId} ${plain}`);
}
