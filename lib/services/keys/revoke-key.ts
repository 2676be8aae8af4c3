import "server-only";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { updateApiKey } from "@/lib/db/queries/api-keys";
import { noteEvent } from "@/lib/services/audit/note-event";
import { requireKey } from "@/lib/services/keys/require-key";

/** Ends a key at once, on every node: each request looks its key up. */
export async function revokeKey(userId: string, keyId: string, sessionId?: string): Promise<void> {
  await withTransaction(async (tx) => {
    const { name } = await requireKey(tx, userId, keyId);
    await updateApiKey(tx, keyId, { revokedAt: new Date(now()) });
    await noteEvent(tx, { userId, kind: "key_revoked", keyId, sessionId, detail: { name } });
  });
}
