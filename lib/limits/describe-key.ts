import "server-only";
import type { z } from "zod";
import { requireKey } from "@/lib/auth/manage-keys";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { Limits } from "@/lib/domain/limits";
import { assert } from "@/lib/errors";
import { toCause } from "@/lib/ledger/account-log";
import { lowerLimits } from "@/lib/limits/change-limits";
import { getLimitStates } from "@/lib/limits/get-limit-states";
import type { KeyWithLimits } from "@/lib/schemas/limits";

/** Describes the API key of the request: its owner, scopes and times, and what it may still do. */
export async function describeKey(principal: Principal): Promise<z.output<typeof KeyWithLimits>> {
  const keyId = requireKeyId(principal);
  const key = await requireKey(await getDb(), principal.userId, keyId);
  const { id, userId, name, mode, scopes, createdAt, expiresAt, lastUsedAt } = key;
  const itself = { id, userId, name, mode, scopes, createdAt, expiresAt, lastUsedAt };
  return { ...itself, ...(await getLimitStates(principal)) };
}

/** Lowers limits of the key of the request, and describes it. */
export async function lowerKeyLimits(
  principal: Principal,
  limits: Limits,
): Promise<z.output<typeof KeyWithLimits>> {
  const subject = { scope: "key", keyId: requireKeyId(principal) } as const;
  await lowerLimits({ userId: principal.userId, subject, limits, cause: toCause(principal) });
  return describeKey(principal);
}

function requireKeyId({ keyId }: Principal): string {
  assert(keyId !== null, "the caller has an API key");
  return keyId;
}
