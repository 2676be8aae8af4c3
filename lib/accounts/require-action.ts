import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import { refuseAction, refuseFrozen } from "@/lib/domain/limits";
import { AppError } from "@/lib/errors";

/**
 * Refuses a cancel or a claim that the limits of the caller do not list. A freeze stops claims too.
 * Orders are checked in their own transaction instead.
 */
export async function requireAction(
  principal: Principal,
  action: "CANCEL" | "REDEEM",
): Promise<void> {
  // Known from the lookup of the key.
  if (principal.isLimited === false) return;
  const { userId, mode, keyId } = principal;
  const query = { userId, mode, keyId, marketId: null, now: now() };
  for (const subject of await readLimitedSubjects(await getDb(), query)) {
    const frozen = action === "REDEEM" ? refuseFrozen(subject) : null;
    const refusal = frozen ?? refuseAction(action, subject);
    if (refusal) throw new AppError(refusal.code, refusal.message);
  }
}
