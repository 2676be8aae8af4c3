import "server-only";
import type { Tx } from "@/lib/db/database";
import { type ApiKeyRow, selectApiKey } from "@/lib/db/queries/api-keys";
import { AppError } from "@/lib/errors";

/** A key of the user that was not revoked. Throws INVALID_API_KEY. */
export async function requireKey(tx: Tx, userId: string, keyId: string): Promise<ApiKeyRow> {
  const found = await selectApiKey(tx, keyId);
  if (!found || found.key.userId !== userId || found.key.revokedAt !== null) {
    throw new AppError("INVALID_API_KEY", "there is no such API key");
  }
  return found.key;
}
