import "server-only";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { updateApiKey } from "@/lib/db/queries/api-keys";
import { noteEvent } from "@/lib/services/audit/note-event";
import { createKey } from "@/lib/services/keys/create-key";
import { requireKey } from "@/lib/services/keys/require-key";

/**
 * Replaces a key by a new one with the same name and scopes. The old one goes on working for
 * `overlapMs`, so that programs can be moved without a gap.
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
    const fresh = await createKey(tx, { userId, name, mode, scopes, expiresAt, sessionId, ending });
    const end = new Date(now() + overlapMs);
    const endsAt = expiresAt !== null && expiresAt < end ? expiresAt : end;
    await updateApiKey(tx, keyId, { expiresAt: endsAt, replacedBy: fresh.keyId });
    const detail = { name, replacedBy: fresh.keyId };
    await noteEvent(tx, { userId, kind: "key_rotated", keyId, sessionId, detail });
    return fresh;
  });
}
