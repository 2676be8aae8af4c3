import "server-only";
import { parseKeyName } from "@/lib/auth/create-key";
import { type Principal, type Scope, SCOPES } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Limits } from "@/lib/domain/limits";
import { AppError } from "@/lib/errors";
import { createLimitedKey } from "@/lib/limits/create-limited-key";

const DAY_MS = 24 * 3600 * 1000;

/** Lifetimes of a new key in days. A key with "never" doesn't expire. */
export const KEY_LIFETIMES = ["30", "90", "365", "never"] as const;

/** The unchecked fields of the form for a new key, with the limits that were read from it. */
export interface KeyRequest {
  name: string;
  scopes: readonly string[];
  lifetime: string;
  limits: Limits;
  /** Identifies the form, which creates at most one key. */
  formId?: string;
}

export interface IssuedKey {
  apiKey: string;
  keyId: string;
  name: string;
}

/** Creates a key from the dashboard's form. Only this call returns the key itself. */
export async function issueKey(
  principal: Principal,
  request: KeyRequest,
  sessionId?: string,
): Promise<IssuedKey> {
  const name = parseKeyName(request.name);
  const scopes = parseScopes(request.scopes);
  const expiresAt = parseLifetime(request.lifetime);
  const limits = chooseLimits(scopes, request.limits);
  const { userId, mode } = principal;
  const { formId } = request;
  const created = await withTransaction((tx) =>
    createLimitedKey(tx, { userId, name, mode, scopes, expiresAt, sessionId, limits, formId }),
  );
  return { ...created, name };
}

/** The form hides the limits on orders for a key that can't trade, but it still sends them. */
function chooseLimits(scopes: readonly Scope[], limits: Limits): Limits {
  return scopes.includes("trade") ? limits : { ipAllow: limits.ipAllow };
}

function parseScopes(requested: readonly string[]): Scope[] {
  const scopes = SCOPES.filter((scope) => requested.includes(scope));
  const isKnown = requested.every((scope) => scopes.some((known) => known === scope));
  if (scopes.length === 0 || !isKnown) throw refuse("scopes", "Choose what the key can do.");
  return scopes;
}

function parseLifetime(lifetime: string): Date | null {
  if (!KEY_LIFETIMES.some((known) => known === lifetime)) {
    throw refuse("lifetime", "Choose when the key expires.");
  }
  return lifetime === "never" ? null : new Date(now() + Number(lifetime) * DAY_MS);
}

const refuse = (field: string, message: string) =>
  new AppError("VALIDATION_ERROR", message, { field });
