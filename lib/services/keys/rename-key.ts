import "server-only";
import { withTransaction } from "@/lib/db/client";
import { updateApiKeyName } from "@/lib/db/queries/api-key-name";
import { noteEvent } from "@/lib/services/audit/note-event";
import { readKeyName } from "@/lib/services/keys/key-name";
import { requireKey } from "@/lib/services/keys/require-key";

/** Gives a key another name. What it may do, and the key itself, stay as they are. */
export async function renameKey(
  userId: string,
  keyId: string,
  { name: wished, sessionId }: { name: string; sessionId?: string | undefined },
): Promise<void> {
  const name = readKeyName(wished);
  await withTransaction(async (tx) => {
    const { name: formerName } = await requireKey(tx, userId, keyId);
    await updateApiKeyName(tx, keyId, name);
    const detail = { name, formerName };
    await noteEvent(tx, { userId, kind: "key_renamed", keyId, sessionId, detail });
  });
}
