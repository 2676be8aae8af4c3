import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import type { LimitedSubject } from "@/lib/domain/limits";

/**
 * Lists what limits a key, or an account without a key, with what is used of it: the key first, then
 * the account and the user. Subjects without limits and freeze are left out.
 */
export async function listLimitedSubjects({
  userId,
  mode,
  keyId,
}: Pick<Principal, "userId" | "mode" | "keyId">): Promise<LimitedSubject[]> {
  const query = { userId, mode, keyId, marketId: null, now: now() };
  return readLimitedSubjects(await getDb(), query);
}
