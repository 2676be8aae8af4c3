import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type ApiKeyRow, selectApiKeys, selectKeyOfForm } from "@/lib/db/queries/api-keys";
import { countApiRequests } from "@/lib/db/queries/api-requests";
import { type LimitRuleRow, selectLimitRules } from "@/lib/db/queries/limit-rules";
import type { KeyLine, KeyList } from "@/lib/schemas/key-views";
import type { Mode } from "@/lib/venue/port";
import type { z } from "zod";

type Line = z.output<typeof KeyLine>;

const IDLE_AFTER_MS = 90 * 24 * 3600 * 1000;

/**
 * Returns what to type to revoke a key: its label, with its id if another active key has the same one.
 */
export async function findRevokeWord(userId: string, keyId: string): Promise<string | null> {
  const { active } = await listKeys(userId);
  const key = active.find(({ id }) => id === keyId);
  if (!key) return null;
  const isUnique = active.every(({ id, label }) => id === keyId || label !== key.label);
  return isUnique ? key.label : `${key.label} ${keyId}`;
}

/** Returns the user's active and ended keys, newest first. */
export async function listKeys(userId: string): Promise<z.output<typeof KeyList>> {
  const db = await getDb();
  const rows = await selectApiKeys(db, userId);
  const calls = await countApiRequests(db, userId);
  const rules = new Map(
    (await selectLimitRules(db, userId))
      .filter(({ scope }) => scope === "key")
      .map((rule) => [rule.subject, rule]),
  );
  const lines = rows.map((row) =>
    toLine(row, { requests: calls.get(row.id) ?? 0, rule: rules.get(row.budgetId ?? row.id) }),
  );
  return {
    active: lines.filter((line) => isWorking(line.state)),
    ended: lines.filter((line) => !isWorking(line.state)),
  };
}

/** Returns the id of the key that a form of the user created, or null. */
export async function findKeyOfForm(userId: string, formId: string): Promise<string | null> {
  return (await selectKeyOfForm(await getDb(), userId, formId))?.id ?? null;
}

/** Returns an active key of the user, or null. */
export async function findActiveKey(userId: string, keyId: string): Promise<Line | null> {
  const key = await findKey(userId, keyId);
  return key && isWorking(key.state) ? key : null;
}

/** Returns a key of the user, even if it has ended, or null. */
export async function findKey(userId: string, keyId: string): Promise<Line | null> {
  const { active, ended } = await listKeys(userId);
  return [...active, ...ended].find((line) => line.id === keyId) ?? null;
}

/** Returns the labels of all keys of the user, or of a mode, ended ones too, by key id. */
export async function listKeyNames(userId: string, mode?: Mode): Promise<Map<string, string>> {
  const rows = await selectApiKeys(await getDb(), userId);
  return new Map(
    rows
      .filter((row) => mode === undefined || row.mode === mode)
      .map((row) => [row.id, createLabel(row)]),
  );
}

/** A rotated key has the name of its successor, so its label says which one it is. */
export const createLabel = ({ name, replacedBy }: ApiKeyRow) =>
  replacedBy === null ? name : `${name} (old)`;

function toLine(
  row: ApiKeyRow,
  { requests, rule }: { requests: number; rule: LimitRuleRow | undefined },
): Line {
  const { id, name, mode, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = row;
  const lastActiveAt = lastUsedAt ?? createdAt;
  return {
    id,
    name,
    label: createLabel(row),
    mode,
    scopes,
    createdAt,
    lastUsedAt,
    expiresAt,
    revokedAt,
    replacedBy: row.replacedBy,
    isIdle: now() - lastActiveAt.getTime() > IDLE_AFTER_MS,
    state: computeState(row),
    isLimited: rule !== undefined && Object.keys(rule.limits).length > 0,
    isFrozen: rule?.frozenAt != null,
    requests,
  };
}

function computeState({ revokedAt, expiresAt, replacedBy }: ApiKeyRow): Line["state"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt.getTime() <= now()) return "expired";
  return replacedBy === null ? "active" : "ending";
}

const isWorking = (state: Line["state"]) => state === "active" || state === "ending";
