import "server-only";
import { readBearer } from "@/lib/auth/bearer";
import type { KeyPrincipal, Scope } from "@/lib/auth/principal";
import { hashKey, isSameHash } from "@/lib/auth/secret-hash";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type ApiKeyRow, touchApiKey } from "@/lib/db/queries/api-keys";
import { type CallerRow, findCaller } from "@/lib/db/queries/callers";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { ApiRequest } from "@/lib/http/request";
import { errorFields, log } from "@/lib/log";

/** A key's last use is kept to the minute. */
const LAST_USE_STEP_MS = 60_000;

interface Asking {
  /** An order that is asked for, whose state is then looked up with the key. */
  orderId?: string | null;
  /** Whether the state of the open orders is looked up with the key. */
  ofOpenOrders?: boolean;
  /** Hears of a key that exists, before it is asked whether it may do this. */
  onGenuine?: (caller: CallerRow) => void;
}

/**
 * Proves who asks, from the API key alone: form and checksum, look-up, secret, then whether the key
 * still works and may do this. Throws a 401 otherwise.
 *
 * @param scope what the operation needs; null is any valid key.
 */
export async function authenticate(
  request: Pick<ApiRequest, "headers">,
  scope: Scope | null,
  { orderId = null, ofOpenOrders = false, onGenuine }: Asking = {},
): Promise<KeyPrincipal> {
  const { key, parsed } = readBearer(request.headers);
  const found = await findCaller(parsed.mode, { keyId: parsed.id, orderId, ofOpenOrders });
  // An unknown id is compared too, so that time does not tell which ids exist.
  const isGenuine = isSameHash(hashKey(key), found?.key.secretHash ?? hashKey(parsed.id));
  if (!found || !isGenuine) throw refuse("INVALID_API_KEY", "the API key is not known");
  onGenuine?.(found);
  assertUsable(found.key, found.userStatus, scope);
  noteUse(found.key);
  const { userId, mode, scopes } = found.key;
  return { userId, mode, keyId: found.key.id, scopes };
}

function assertUsable(key: ApiKeyRow, userStatus: string, scope: Scope | null): void {
  if (key.revokedAt !== null) throw refuse("API_KEY_REVOKED", "the API key was revoked");
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now()) {
    throw refuse("API_KEY_EXPIRED", `the API key expired at ${key.expiresAt.toISOString()}`);
  }
  if (userStatus !== "active") throw refuse("ACCOUNT_DISABLED", "the account is disabled");
  if (scope !== null && !key.scopes.includes(scope)) {
    throw refuse("INSUFFICIENT_SCOPE", `the API key lacks the scope "${scope}"`);
  }
}

/** Notes the use without making the request wait for it. */
function noteUse(key: ApiKeyRow): void {
  const at = now();
  if (key.lastUsedAt !== null && at - key.lastUsedAt.getTime() < LAST_USE_STEP_MS) return;
  void getDb()
    .then((db) => touchApiKey(db, key.id, new Date(at), new Date(at - LAST_USE_STEP_MS)))
    .catch((error: unknown) =>
      log.warn("last use not noted", { keyId: key.id, ...errorFields(error) }),
    );
}

function refuse(code: ErrorCode, message: string): AppError {
  return new AppError(code, message, { headers: { "www-authenticate": "Bearer" } });
}
