import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  selectSandboxSessionKey,
  selectSandboxSessionKeys,
  selectSessionWallets,
} from "@/lib/db/queries/sandbox-session-keys";
import { canTrade, getSessionKeyState } from "@/lib/domain/session-key";
import { deriveDepositWallets } from "@/lib/polymarket/protocol/wallets";
import { toUserId } from "@/lib/sandbox/accounts";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { cancelWhere } from "@/lib/sandbox/cancel-orders";
import { SandboxError } from "@/lib/sandbox/error";

/**
 * Checks that a deposit wallet lists a session key that may place orders now. The venue's texts for
 * these refusals are not known.
 */
export async function requireSessionKey(wallet: string, address: string): Promise<void> {
  const key = await selectSandboxSessionKey(await getDb(), wallet, address);
  if (key === null || key.revokedAt !== null) {
    throw new SandboxError(400, "the session signer is not authorized for this wallet");
  }
  if (getSessionKeyState(key, now()) === "expired") {
    throw new SandboxError(400, "the session signer has expired");
  }
  if (!canTrade(key.scopes)) {
    throw new SandboxError(400, "the session signer's scopes do not include CLOB");
  }
}

/** Cancels the open orders of a session key if it was revoked after they were checked. */
export async function cancelIfRevoked(wallet: string, address: string): Promise<void> {
  const key = await selectSandboxSessionKey(await getDb(), wallet, address);
  if (key !== null && key.revokedAt !== null) await cancelOrdersOfKey(wallet, address);
}

/** Cancels the open orders that a session key placed for a deposit wallet. */
export async function cancelOrdersOfKey(wallet: string, address: string): Promise<void> {
  await cancelWhere({ owner: address, apiKey: null }, { userIds: [toUserId(wallet)] });
}

/** Serves `GET /v1/user/session-signers`: the session keys of the caller's own deposit wallet. */
export async function listSessionSigners({ owner }: SandboxCaller) {
  const db = await getDb();
  if ((await selectSessionWallets(db, owner)).length > 0) {
    throw new SandboxError(
      403,
      "only the owner of the deposit wallet can list its session signers",
    );
  }
  const [current = "", former = ""] = deriveDepositWallets(owner);
  const ofCurrent = await selectSandboxSessionKeys(db, current);
  const ofFormer = ofCurrent.length > 0 ? [] : await selectSandboxSessionKeys(db, former);
  return {
    wallet: ofFormer.length > 0 ? former : current,
    signers: [...ofCurrent, ...ofFormer].map(({ address, scopes, expiresAt }) => ({
      address,
      scopes,
      valid_until: expiresAt.getTime() / 1000,
    })),
  };
}
