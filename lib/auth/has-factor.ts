import "server-only";
import type { Tx } from "@/lib/db/database";
import { selectPasskeys } from "@/lib/db/queries/passkeys";
import { selectTotpSecret } from "@/lib/db/queries/totp-secrets";

/** Which kinds of second factor a user has. Recovery codes only stand in for one of them. */
export interface FactorKinds {
  hasPasskeys: boolean;
  hasApp: boolean;
}

export async function readFactorKinds(tx: Tx, userId: string): Promise<FactorKinds> {
  const passkeys = await selectPasskeys(tx, userId);
  return {
    hasPasskeys: passkeys.length > 0,
    hasApp: (await selectTotpSecret(tx, userId)) !== null,
  };
}

export async function hasFactor(tx: Tx, userId: string): Promise<boolean> {
  const { hasPasskeys, hasApp } = await readFactorKinds(tx, userId);
  return hasPasskeys || hasApp;
}
