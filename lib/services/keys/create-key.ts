import "server-only";
import { randomBytes } from "node:crypto";
import { composeKey, KEY_RANDOM_BYTES, parseKey } from "@/lib/auth/api-key";
import type { Scope } from "@/lib/auth/principal";
import { hashKey } from "@/lib/auth/secret-hash";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { countActiveKeys, insertApiKey } from "@/lib/db/queries/api-keys";
import { AppError, assert } from "@/lib/errors";
import { noteEvent } from "@/lib/services/audit/note-event";
import type { Mode } from "@/lib/venue/port";

const MAX_ACTIVE_KEYS = 20;

export interface NewKey {
  userId: string;
  name: string;
  mode: Mode;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  /** The session it is made in, if it is made in one. */
  sessionId?: string | undefined;
  /** Active keys that end in the same transaction. */
  ending?: number;
}

/** Makes an API key. The key itself is returned this once and never stored. */
export async function createKey(tx: Tx, input: NewKey): Promise<{ apiKey: string; keyId: string }> {
  const at = new Date(now());
  const active = (await countActiveKeys(tx, input.userId, at)) - (input.ending ?? 0);
  if (active >= MAX_ACTIVE_KEYS) {
    throw new AppError(
      "VALIDATION_ERROR",
      `a user may have at most ${MAX_ACTIVE_KEYS} active API keys`,
    );
  }
  const apiKey = composeKey(input.mode, randomBytes(KEY_RANDOM_BYTES));
  const parsed = parseKey(apiKey);
  assert(parsed, "a composed key parses");
  await insertApiKey(tx, {
    id: parsed.id,
    userId: input.userId,
    name: input.name,
    mode: input.mode,
    secretHash: hashKey(apiKey),
    scopes: [...input.scopes],
    createdAt: at,
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  });
  const { userId, name, scopes, mode, sessionId } = input;
  const detail = { name, scopes, mode };
  await noteEvent(tx, { userId, kind: "key_created", keyId: parsed.id, sessionId, detail });
  return { apiKey, keyId: parsed.id };
}
