import "server-only";
import { createHmac, randomUUID } from "node:crypto";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import {
  deleteBuilderKeys,
  insertBuilderKey,
  selectBuilderKey,
  selectBuilderKeysOf,
} from "@/lib/db/queries/sandbox-builder-keys";
import { env } from "@/lib/env";
import type { BuilderCredentials } from "@/lib/polymarket/protocol/builder-headers";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";

const MAX_KEYS = 100;

/** Serves the CLOB's `POST /auth/builder-api-key`: a new key for the relayer. */
export async function createBuilderKey({ owner }: SandboxCaller): Promise<BuilderCredentials> {
  const db = await getDb();
  if ((await selectBuilderKeysOf(db, owner)).length >= MAX_KEYS) {
    throw new SandboxError(400, `at most ${MAX_KEYS} builder api keys`);
  }
  const id = randomUUID();
  await insertBuilderKey(db, { id, owner, createdAt: new Date(now()) });
  return deriveBuilderCredentials(id);
}

/** Serves `GET /auth/builder-api-key`. */
export async function listBuilderKeys({ owner }: SandboxCaller) {
  const rows = await selectBuilderKeysOf(await getDb(), owner);
  return rows.map(({ id, createdAt }) => ({ key: id, createdAt: createdAt.toISOString() }));
}

/** Serves `DELETE /auth/builder-api-key`: ends all of them, because clients name none. */
export async function revokeBuilderKeys({ owner }: SandboxCaller): Promise<string> {
  await deleteBuilderKeys(await getDb(), owner, new Date(now()));
  return "OK";
}

/** Returns the credentials of a builder's key; null for a key that was never issued, or is revoked. */
export async function findBuilder(id: string): Promise<BuilderCredentials | null> {
  const configured = env().SANDBOX_BUILDER_KEY;
  if (configured?.key === id) return configured;
  const row = await selectBuilderKey(await getDb(), id);
  return row && deriveBuilderCredentials(row.id);
}

/** Derives a key's secret from its id and the service's pepper, so that it is not stored. */
function deriveBuilderCredentials(id: string): BuilderCredentials {
  const part = (name: string) =>
    createHmac("sha256", env().API_KEY_PEPPER).update(`sandbox/builder/${name}/${id}`).digest();
  return {
    key: id,
    secret: part("secret").toString("base64"),
    passphrase: part("passphrase").toString("hex"),
  };
}
