import "server-only";
import { createKey, type NewKey } from "@/lib/auth/create-key";
import type { Tx } from "@/lib/db/database";
import { lockLimits } from "@/lib/db/queries/limit-state";
import type { Limits } from "@/lib/domain/limits";
import { replaceLimits } from "@/lib/limits/change-limits";

/** Creates an API key with its limits, so that it never exists without them. */
export async function createLimitedKey(
  tx: Tx,
  { limits, ...input }: NewKey & { limits: Limits },
): Promise<{ apiKey: string; keyId: string }> {
  const { userId, sessionId } = input;
  await lockLimits(tx, userId);
  const created = await createKey(tx, input);
  const subject = { scope: "key", keyId: created.keyId } as const;
  if (Object.values(limits).some((limit) => limit !== undefined)) {
    await replaceLimits(tx, { userId, subject, sessionId }, () => limits);
  }
  return created;
}
