import "server-only";
import type { z } from "zod";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type ApiKeyRow, selectApiKeys } from "@/lib/db/queries/api-keys";
import { countApiRequests } from "@/lib/db/queries/api-requests";
import type { KeyLine, KeyList } from "@/lib/schemas/key-views";

type Line = z.output<typeof KeyLine>;

const IDLE_AFTER_MS = 90 * 24 * 3600 * 1000;

/** The user's keys, newest first: those that work, and those that have ended. */
export async function listKeys(userId: string): Promise<z.output<typeof KeyList>> {
  const db = await getDb();
  const rows = await selectApiKeys(db, userId);
  const calls = await countApiRequests(db, userId);
  const lines = rows.map((row) => toLine(row, calls.get(row.id) ?? 0));
  return {
    active: lines.filter((line) => isWorking(line.state)),
    ended: lines.filter((line) => !isWorking(line.state)),
  };
}

/** One key of the user that still works, or null. */
export async function findActiveKey(userId: string, keyId: string): Promise<Line | null> {
  const { active } = await listKeys(userId);
  return active.find((line) => line.id === keyId) ?? null;
}

/** What the user calls each key that ever was, by its id. */
export async function nameKeys(userId: string): Promise<Map<string, string>> {
  const rows = await selectApiKeys(await getDb(), userId);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function toLine(row: ApiKeyRow, requests: number): Line {
  const { id, name, mode, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = row;
  const lastSign = lastUsedAt ?? createdAt;
  return {
    id,
    name,
    mode,
    scopes,
    createdAt,
    lastUsedAt,
    expiresAt,
    revokedAt,
    replacedBy: row.replacedBy,
    isIdle: now() - lastSign.getTime() > IDLE_AFTER_MS,
    state: stateOf(row),
    requests,
  };
}

function stateOf({ revokedAt, expiresAt, replacedBy }: ApiKeyRow): Line["state"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt.getTime() <= now()) return "expired";
  return replacedBy === null ? "active" : "ending";
}

const isWorking = (state: Line["state"]) => state === "active" || state === "ending";
