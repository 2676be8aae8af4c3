import "server-only";
import { hasFactor } from "@/lib/auth/has-factor";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { createRecoveryCodes } from "@/lib/auth/second-factor/recovery-codes";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import type { Session } from "@/lib/auth/session";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { lockUser } from "@/lib/db/queries/live-wallets";
import { deletePasskey, deletePasskeys, selectPasskeys } from "@/lib/db/queries/passkeys";
import { countRecoveryCodes, deleteRecoveryCodes } from "@/lib/db/queries/recovery-codes";
import { clearFactorTimes } from "@/lib/db/queries/sessions";
import {
  deleteTotpSecret,
  deleteTotpSetups,
  selectTotpSecret,
} from "@/lib/db/queries/totp-secrets";
import { deleteWaitingSignIns } from "@/lib/db/queries/waiting-sign-ins";
import { AppError } from "@/lib/errors";

export interface FactorList {
  passkeys: { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }[];
  /** When the authenticator app was set up; null if there is none. */
  appAddedAt: Date | null;
  recoveryCodesLeft: number;
}

/** The id of the authenticator app among the factors. */
export const APP_ID = "app";

/** Returns the second factors of a user, without their secrets. */
export async function listFactors(userId: string): Promise<FactorList> {
  const db = await getDb();
  const passkeys = await selectPasskeys(db, userId);
  return {
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt,
      lastUsedAt,
    })),
    appAddedAt: (await selectTotpSecret(db, userId))?.confirmedAt ?? null,
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
  };
}

/** Removes a passkey or the authenticator app. The recovery codes go with the last one. */
export async function removeFactor(session: Session, id: string, proof: Proof): Promise<void> {
  await requireFreshFactor(session, "change_factors", proof);
  const { userId } = session.principal;
  await withTransaction(async (tx) => {
    await lockUser(tx, userId);
    await removeOne(tx, { userId, id, sessionId: session.id });
    if (!(await hasFactor(tx, userId))) await forgetFactors(tx, userId);
  });
}

/** Replaces the recovery codes. The former ones stop working. Returns the new ones. */
export async function renewRecoveryCodes(session: Session, proof: Proof): Promise<string[]> {
  await requireFreshFactor(session, "change_factors", proof);
  const { userId } = session.principal;
  return withTransaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await hasFactor(tx, userId))) {
      throw new AppError("VALIDATION_ERROR", "Set up a passkey or an authenticator app first.");
    }
    return createRecoveryCodes(tx, { userId, sessionId: session.id });
  });
}

/** Removes all second factors of a user, for the operator. The password then suffices again. */
export async function removeAllFactors(userId: string): Promise<void> {
  await withTransaction(async (tx) => {
    if (!(await lockUser(tx, userId))) {
      throw new AppError("WALLET_NOT_FOUND", `There is no user ${userId}.`);
    }
    await deletePasskeys(tx, userId);
    await deleteTotpSecret(tx, userId);
    await forgetFactors(tx, userId);
    await recordSecurityEvent(tx, { userId, kind: "factors_removed" });
  });
}

async function removeOne(
  tx: Tx,
  { userId, id, sessionId }: { userId: string; id: string; sessionId: string },
): Promise<void> {
  if (id === APP_ID) {
    if (!(await deleteTotpSecret(tx, userId))) throw gone();
    await recordSecurityEvent(tx, { userId, kind: "totp_removed", sessionId });
    return;
  }
  const name = await deletePasskey(tx, userId, id);
  if (name === null) throw gone();
  await recordSecurityEvent(tx, { userId, kind: "passkey_removed", sessionId, detail: { name } });
}

/** Deletes everything that belongs to the factors of a user who has none any more. */
async function forgetFactors(tx: Tx, userId: string): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await deleteTotpSetups(tx, userId);
  await clearFactorTimes(tx, userId);
  await deleteWaitingSignIns(tx, userId);
}

const gone = () => new AppError("VALIDATION_ERROR", "This second factor was removed already.");
