import "server-only";
import { isInAddressList } from "@/lib/auth/address-list";
import type { Bearer } from "@/lib/auth/bearer";
import type { KeyPrincipal, Scope } from "@/lib/auth/principal";
import { hashKey, isSameHash } from "@/lib/auth/secret-hash";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type ApiKeyRow, touchApiKey } from "@/lib/db/queries/api-keys";
import { type CallerRow, findCaller } from "@/lib/db/queries/callers";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";

/** A key's last use is recorded to the minute. */
const LAST_USE_STEP_MS = 60_000;

/**
 * Authenticates a request by its API key: format and checksum, then the stored hash, then revocation,
 * expiry, account status and scope. Throws the AppError of the first check that fails.
 *
 * @param scope the scope that the operation needs; null accepts any valid key.
 * @param address the client's address, for the limit ipAllow.
 * @param onGenuine called for a genuine key, before its expiry and scopes are checked.
 */
export async function authenticate(
  bearer: Bearer,
  scope: Scope | null,
  options: AuthenticateOptions,
): Promise<KeyPrincipal> {
  const found = await checkKey(bearer, scope, options);
  recordUse(found.key);
  const { userId, mode, scopes } = found.key;
  const isLimited = found.isLimited || env().DEFAULT_LIMITS !== undefined;
  return { userId, mode, keyId: found.key.id, scopes, isLimited };
}

interface AuthenticateOptions {
  address: string;
  onGenuine?: (caller: CallerRow) => void;
}

/** Returns the caller of a key like `authenticate`, without counting as a use of the key. */
export async function checkKey(
  { key, parsed }: Bearer,
  scope: Scope | null,
  { address, onGenuine }: AuthenticateOptions,
): Promise<CallerRow> {
  const found = await findCaller(parsed.mode, parsed.id);
  // An unknown id is compared too, so that the response time doesn't reveal which ids exist.
  const isGenuine = isSameHash(hashKey(key), found?.key.secretHash ?? hashKey(parsed.id));
  if (!found || !isGenuine) throw refuse("INVALID_API_KEY", "The API key doesn't exist.");
  onGenuine?.(found);
  assertUsable(found.key, found.userStatus, scope);
  assertAllowed(address, found.addressLists);
  return found;
}

function assertUsable(key: ApiKeyRow, userStatus: string, scope: Scope | null): void {
  if (key.revokedAt !== null) throw refuse("API_KEY_REVOKED", "The API key was revoked.");
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now()) {
    throw refuse("API_KEY_EXPIRED", `The API key expired at ${key.expiresAt.toISOString()}.`);
  }
  if (userStatus !== "active") throw refuse("ACCOUNT_DISABLED", "The account is disabled.");
  if (scope !== null && !key.scopes.includes(scope)) {
    throw refuse("INSUFFICIENT_SCOPE", `The API key doesn't have the "${scope}" scope.`);
  }
}

/** Every limit ipAllow of the key, its account and its user must include the address. */
function assertAllowed(address: string, lists: readonly (readonly string[])[]): void {
  if (lists.every((list) => isInAddressList(address, list))) return;
  throw refuse("ADDRESS_NOT_ALLOWED", `The API key may not be used from ${address}.`);
}

/** Updates the key's last use in the background. */
function recordUse(key: ApiKeyRow): void {
  const at = now();
  if (key.lastUsedAt !== null && at - key.lastUsedAt.getTime() < LAST_USE_STEP_MS) return;
  void getDb()
    .then((db) => touchApiKey(db, key.id, new Date(at), new Date(at - LAST_USE_STEP_MS)))
    .catch((error: unknown) =>
      log.warn("last use of API key not recorded", { keyId: key.id, ...errorFields(error) }),
    );
}

function refuse(code: ErrorCode, message: string): AppError {
  return new AppError(code, message, { headers: { "www-authenticate": "Bearer" } });
}
