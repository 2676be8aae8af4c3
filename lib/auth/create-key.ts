import "server-only";
import { randomBytes } from "node:crypto";
import { composeKey, KEY_RANDOM_BYTES, parseKey } from "@/lib/auth/api-key";
import type { Scope } from "@/lib/auth/principal";
import { hashKey } from "@/lib/auth/secret-hash";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import {
  type ApiKeyRow,
  countActiveKeys,
  insertApiKey,
  selectKeyOfForm,
} from "@/lib/db/queries/api-keys";
import { lockOwner } from "@/lib/db/queries/wallets";
import { causeOfSession } from "@/lib/ledger/account-log";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { post } from "@/lib/ledger/transfers";
import { AppError, assert } from "@/lib/errors";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import type { Mode } from "@/lib/venue/port";
import { z } from "zod";

const MAX_ACTIVE_KEYS = 20;

export interface NewKey {
  userId: string;
  name: string;
  mode: Mode;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  /** The session that creates the key, if any. */
  sessionId?: string | undefined;
  /** How many active keys end in the same transaction. */
  ending?: number;
  /** The budget of the key that it replaces. */
  budgetId?: string;
  /** The form of the dashboard that creates it. */
  formId?: string | undefined;
}

/** Creates an API key. Only a hash of it is stored, so only this call returns the key itself. */
export async function createKey(tx: Tx, input: NewKey): Promise<{ apiKey: string; keyId: string }> {
  const at = new Date(now());
  const active = (await countActiveKeys(tx, input.userId, at)) - (input.ending ?? 0);
  if (active >= MAX_ACTIVE_KEYS) {
    throw new AppError(
      "VALIDATION_ERROR",
      `An account can have at most ${MAX_ACTIVE_KEYS} active API keys.`,
    );
  }
  const { formId = null } = input;
  // The user is locked, so the same form sent twice at once finds its key, too.
  if (formId !== null && (await selectKeyOfForm(tx, input.userId, formId))) {
    throw new AppError("VALIDATION_ERROR", "This form has created its key. Open a new form.");
  }
  const apiKey = composeKey(input.mode, randomBytes(KEY_RANDOM_BYTES));
  const parsed = parseKey(apiKey);
  assert(parsed, "a composed key parses");
  const key = {
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
    budgetId: input.budgetId ?? null,
    formId,
  };
  await insertApiKey(tx, key);
  const { userId, name, scopes, mode, sessionId } = input;
  await recordKeyEvent(tx, "key.created", { key, sessionId });
  const detail = { name, scopes, mode };
  await recordSecurityEvent(tx, {
    userId,
    kind: "key_created",
    keyId: parsed.id,
    sessionId,
    detail,
  });
  return { apiKey, keyId: parsed.id };
}

/** Adds an event of a key, without its secret, to the log of the account that it opens. */
export async function recordKeyEvent(
  tx: Tx,
  type: "key.created" | "key.rotated" | "key.revoked",
  { key, sessionId }: { key: ApiKeyRow; sessionId: string | undefined },
): Promise<void> {
  const { id, userId, name, mode, scopes, createdAt, expiresAt, lastUsedAt, replacedBy } = key;
  const epoch = mode === "live" ? LIVE_EPOCH : (await lockOwner(tx, userId))?.epoch;
  if (epoch === undefined) return;
  const data = {
    id,
    name,
    mode,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt && expiresAt.toISOString(),
    lastUsedAt: lastUsedAt && lastUsedAt.toISOString(),
    replacedBy,
  };
  const event = { owner: { userId, epoch }, type, data, cause: causeOfSession(sessionId) };
  await post(tx, { transfers: [], events: [event] }, new Date(now()));
}

export const MAX_NAME_LENGTH = 64;

const KeyName = z
  .string()
  .transform((text) => text.trim().replaceAll(/\s+/g, " "))
  .pipe(
    z
      .string()
      .min(1, "Give the key a name, such as the program that uses it.")
      .refine((name) => [...name].length <= MAX_NAME_LENGTH, {
        error: `A name can have at most ${MAX_NAME_LENGTH} characters.`,
      })
      // Postgres rejects NUL.
      .refine((name) => !/\p{Cc}/u.test(name), "A name can't contain control characters."),
  );

/** Trims a key's name and collapses its spaces. Throws VALIDATION_ERROR for the field "name". */
export function parseKeyName(text: string): string {
  const parsed = KeyName.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? "Choose a different name.";
  throw new AppError("VALIDATION_ERROR", message, { field: "name" });
}
