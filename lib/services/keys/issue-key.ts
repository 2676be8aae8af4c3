import "server-only";
import { type Principal, type Scope, SCOPES } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { createKey } from "@/lib/services/keys/create-key";
import { readKeyName } from "@/lib/services/keys/key-name";

const DAY_MS = 24 * 3600 * 1000;

/** How long a key may be made for, in days; "never" is for ever. */
export const KEY_LIFETIMES = ["30", "90", "365", "never"] as const;

/** What a form says of the key it wants, not yet checked. */
export interface KeyWish {
  name: string;
  scopes: readonly string[];
  lifetime: string;
}

export interface IssuedKey {
  apiKey: string;
  keyId: string;
  name: string;
}

/** Makes a key as its owner asks in the dashboard. The key is returned this once. */
export async function issueKey(
  principal: Principal,
  wish: KeyWish,
  sessionId?: string,
): Promise<IssuedKey> {
  const name = readKeyName(wish.name);
  const scopes = readScopes(wish.scopes);
  const expiresAt = readExpiry(wish.lifetime);
  const { userId, mode } = principal;
  const made = await withTransaction((tx) =>
    createKey(tx, { userId, name, mode, scopes, expiresAt, sessionId }),
  );
  return { ...made, name };
}

function readScopes(wished: readonly string[]): Scope[] {
  const scopes = SCOPES.filter((scope) => wished.includes(scope));
  const isKnown = wished.every((scope) => scopes.some((known) => known === scope));
  if (scopes.length === 0 || !isKnown) throw refuse("scopes", "Choose what the key may do.");
  return scopes;
}

function readExpiry(lifetime: string): Date | null {
  if (!KEY_LIFETIMES.some((known) => known === lifetime)) {
    throw refuse("lifetime", "Choose how long the key works.");
  }
  return lifetime === "never" ? null : new Date(now() + Number(lifetime) * DAY_MS);
}

const refuse = (field: string, message: string) =>
  new AppError("VALIDATION_ERROR", message, { field });
