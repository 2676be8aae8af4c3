import "server-only";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  type ApiKeyRow,
  selectApiKey,
  updateApiKey,
  updateApiKeyName,
} from "@/lib/db/queries/api-keys";
import { AppError } from "@/lib/errors";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { createKey, parseKeyName, recordKeyEvent } from "@/lib/auth/create-key";

/** Returns a key of the user that isn't revoked. Throws INVALID_API_KEY. */
export async function requireKey(tx: Tx, userId: string, keyId: string): Promise<ApiKeyRow> {
  const found = await selectApiKey(tx, keyId);
  if (!found || found.key.userId !== userId || found.key.revokedAt !== null) {
    throw new AppError("INVALID_API_KEY", "This API key doesn't exist or was revoked.");
  }
  return found.key;
}

/** Renames a key. */
export async function renameKey(
  userId: string,
  keyId: string,
  { name: newName, sessionId }: { name: string; sessionId?: string | undefined },
): Promise<void> {
  const name = parseKeyName(newName);
  await withTransaction(async (tx) => {
    const { name: formerName } = await requireKey(tx, userId, keyId);
    await updateApiKeyName(tx, keyId, name);
    const detail = { name, formerName };
    await recordSecurityEvent(tx, { userId, kind: "key_renamed", keyId, sessionId, detail });
  });
}

/**
 * Replaces a key with a new one that has the same name, scopes and expiry. The old key keeps working
 * for `overlapMs`, so that programs can switch without downtime.
 */
export async function rotateKey(
  userId: string,
  keyId: string,
  { overlapMs, sessionId }: { overlapMs: number; sessionId?: string | undefined },
): Promise<{ apiKey: string; keyId: string }> {
  return withTransaction(async (tx) => {
    const old = await requireKey(tx, userId, keyId);
    const { name, mode, scopes, expiresAt } = old;
    const isActive = expiresAt === null || expiresAt.getTime() > now();
    const ending = isActive && overlapMs === 0 ? 1 : 0;
    // A rotation must not renew what the key may spend.
    const budgetId = old.budgetId ?? old.id;
    const form = { userId, name, mode, scopes, expiresAt, budgetId };
    const fresh = await createKey(tx, { ...form, sessionId, ending });
    const end = new Date(now() + overlapMs);
    const endsAt = expiresAt !== null && expiresAt < end ? expiresAt : end;
    const change = { expiresAt: endsAt, replacedBy: fresh.keyId };
    await updateApiKey(tx, keyId, change);
    await recordKeyEvent(tx, "key.rotated", { key: { ...old, ...change }, sessionId });
    const detail = { name, replacedBy: fresh.keyId };
    await recordSecurityEvent(tx, { userId, kind: "key_rotated", keyId, sessionId, detail });
    return fresh;
  });
}

/** Revokes a key. It stops working on every node with the next request. */
export async function revokeKey(userId: string, keyId: string, sessionId?: string): Promise<void> {
  await withTransaction(async (tx) => {
    const key = await requireKey(tx, userId, keyId);
    await updateApiKey(tx, keyId, { revokedAt: new Date(now()) });
    await recordKeyEvent(tx, "key.revoked", { key, sessionId });
    await recordSecurityEvent(tx, {
      userId,
      kind: "key_revoked",
      keyId,
      sessionId,
      detail: { name: key.name },
    });
  });
}
