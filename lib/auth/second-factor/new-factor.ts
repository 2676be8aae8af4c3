import "server-only";
import { hasFactor } from "@/lib/auth/has-factor";
import { createRecoveryCodes } from "@/lib/auth/second-factor/recovery-codes";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { lockUser } from "@/lib/db/queries/live-wallets";
import {
  clearFactorTimes,
  lockActiveSession,
  selectSession,
  setFactorTime,
} from "@/lib/db/queries/sessions";
import { FACTOR_FRESH_MS } from "@/lib/domain/second-factor";
import { AppError } from "@/lib/errors";

/**
 * Adds a factor whose setup began at `startedAt`, after its proof. Throws SECOND_FACTOR_REQUIRED if the
 * user got another factor meanwhile that this session never proved: then the password was not enough.
 *
 * @param insert stores the factor.
 * @returns the recovery codes with the first factor; otherwise null.
 */
export async function addFactor(
  tx: Tx,
  session: Session,
  { startedAt, insert }: { startedAt: Date; insert: () => Promise<void> },
): Promise<string[] | null> {
  const { id: sessionId, principal } = session;
  const { userId } = principal;
  await lockUser(tx, userId);
  if (!(await lockActiveSession(tx, userId, sessionId))) {
    throw new AppError("SESSION_ENDED", "Your session has ended. Sign in again.");
  }
  const isFirst = !(await hasFactor(tx, userId));
  if (!isFirst) await assertProven(tx, sessionId, startedAt);
  await insert();
  if (isFirst) await clearFactorTimes(tx, userId);
  await setFactorTime(tx, sessionId, new Date(now()));
  return isFirst ? createRecoveryCodes(tx, { userId, sessionId }) : null;
}

async function assertProven(tx: Tx, sessionId: string, startedAt: Date): Promise<void> {
  const factorAt = (await selectSession(tx, sessionId))?.session.factorAt ?? null;
  if (factorAt !== null && factorAt.getTime() >= startedAt.getTime() - FACTOR_FRESH_MS) return;
  throw new AppError(
    "SECOND_FACTOR_REQUIRED",
    "Another second factor was added meanwhile. Confirm with it and start again.",
  );
}
