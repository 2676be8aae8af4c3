import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import type { Refusal } from "@/lib/domain/funding";
import {
  type LimitedSubject,
  type LimitedTransaction,
  refuseAction,
  refuseTransaction,
} from "@/lib/domain/limits";
import { AppError } from "@/lib/errors";

/** Refuses a cancel that the limits of the caller do not list. A freeze stops no cancel. */
export async function requireCancel(principal: Principal): Promise<void> {
  await requireAllowed(principal, (subject) => refuseAction("CANCEL", subject));
}

/**
 * Refuses a transaction of a live wallet that a freeze or the limits of the caller forbid. The paper
 * exchange checks orders and transactions in their own database transaction instead.
 */
export async function requireWalletAction(
  principal: Principal,
  transaction: LimitedTransaction,
): Promise<void> {
  await requireAllowed(principal, (subject) => refuseTransaction(transaction, subject));
}

async function requireAllowed(
  principal: Principal,
  refuse: (subject: LimitedSubject) => Refusal | null,
): Promise<void> {
  // Known from the lookup of the key.
  if (principal.isLimited === false) return;
  const { userId, mode, keyId } = principal;
  const query = { userId, mode, keyId, marketId: null, now: now() };
  for (const subject of await readLimitedSubjects(await getDb(), query)) {
    const refusal = refuse(subject);
    if (refusal) throw new AppError(refusal.code, refusal.message);
  }
}
