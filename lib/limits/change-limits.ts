import "server-only";
import { isDeepStrictEqual } from "node:util";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { selectLimitRule, writeLimitRule } from "@/lib/db/queries/limit-rules";
import { lockLimits } from "@/lib/db/queries/limit-state";
import { LIMIT_LABELS } from "@/lib/domain/limit-texts";
import { findRaised, type Limits } from "@/lib/domain/limits";
import { AppError } from "@/lib/errors";
import { type Cause, causeOfSession } from "@/lib/ledger/account-log";
import { findSubject, recordSubjectEvent, type Subject } from "@/lib/limits/subject";
import { readLimits, writeLimits } from "@/lib/schemas/limits";

interface Change {
  userId: string;
  subject: Subject;
  /** The session of the owner; none for a key or the operator. */
  sessionId?: string | undefined;
  /** The cause of the event; by default the session. */
  cause?: Cause;
}

/** Replaces the limits of a key, an account or a user. Orders in flight are checked before or after it. */
export async function setLimits(change: Change & { limits: Limits }): Promise<void> {
  await withTransaction(async (tx) => {
    await lockLimits(tx, change.userId);
    await replaceLimits(tx, change, () => change.limits);
  });
}

/**
 * Replaces limits at the owner's request.
 *
 * @param isConfirmed whether the owner has just confirmed the change.
 * @throws VALIDATION_ERROR for the field "current" if a limit is raised without a confirmation.
 */
export async function setOwnLimits(
  change: Change & { limits: Limits; isConfirmed: boolean },
): Promise<void> {
  await withTransaction(async (tx) => {
    await lockLimits(tx, change.userId);
    await replaceLimits(tx, change, (former) => {
      const raised = change.isConfirmed ? null : findRaised(former, change.limits);
      if (raised === null) return change.limits;
      const message = `Confirm that you want to raise or remove the limit “${LIMIT_LABELS[raised]}”.`;
      throw new AppError("VALIDATION_ERROR", message, { field: "current" });
    });
  });
}

/**
 * Lowers limits of a key at its own request. The limits that are left out stay as they are.
 *
 * @throws VALIDATION_ERROR if one would be raised.
 */
export async function lowerLimits(change: Change & { limits: Limits }): Promise<void> {
  await withTransaction(async (tx) => {
    await lockLimits(tx, change.userId);
    await replaceLimits(tx, change, (former) => {
      const raised = findRaised(former, { ...former, ...change.limits });
      if (raised === null) return { ...former, ...change.limits };
      throw new AppError(
        "VALIDATION_ERROR",
        `limits.${raised}: a key can lower its limits, and only its owner can raise them`,
      );
    });
  });
}

/** Reads the limits of a subject as they were set, without their usage. */
export async function getLimits(tx: Tx, userId: string, subject: Subject): Promise<Limits> {
  const { id } = await findSubject(tx, userId, subject);
  return readLimits((await selectLimitRule(tx, id))?.limits ?? {});
}

/** Writes limits in a transaction that has called `lockLimits`. */
export async function replaceLimits(
  tx: Tx,
  { userId, subject, sessionId, cause = causeOfSession(sessionId) }: Change,
  change: (former: Limits) => Limits,
): Promise<void> {
  const found = await findSubject(tx, userId, subject);
  const row = await selectLimitRule(tx, found.id);
  const former = readLimits(row?.limits ?? {});
  const limits = writeLimits(change(former));
  // A key with any scope can ask for this: what changes nothing must not fill the logs.
  if (isDeepStrictEqual(limits, writeLimits(former))) return;
  await writeLimitRule(tx, {
    ...found.id,
    limits,
    frozenAt: row?.frozenAt ?? null,
    frozenReason: row?.frozenReason ?? null,
    updatedAt: new Date(now()),
  });
  await recordSubjectEvent(tx, found, { type: "limits.changed", limits }, cause);
  const detail = {
    scope: found.id.scope,
    ...(found.keyName !== null && { name: found.keyName }),
    limits: { former: writeLimits(former), now: limits },
  };
  const event = { userId, kind: "limits_changed", sessionId, detail } as const;
  await recordSecurityEvent(tx, { ...event, ...(found.keyId !== null && { keyId: found.keyId }) });
}
