import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { assert } from "@/lib/errors";
import type { ApiKey } from "@/lib/schemas/account";
import { requireKey } from "@/lib/services/keys/require-key";

/** What the key that asks is and may do. */
export async function describeKey(principal: Principal): Promise<z.output<typeof ApiKey>> {
  assert(principal.keyId !== null, "only a key asks what it is");
  const key = await requireKey(await getDb(), principal.userId, principal.keyId);
  const { id, userId, name, mode, scopes, createdAt, expiresAt, lastUsedAt } = key;
  return { id, userId, name, mode, scopes, createdAt, expiresAt, lastUsedAt };
}
