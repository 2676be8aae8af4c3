import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import {
  type LimitedAction,
  type LimitedMarket,
  refuseAction,
  refuseFrozen,
  refuseMarket,
  refuseSplit,
} from "@/lib/domain/limits";
import type { WalletTransactionKind } from "@/lib/domain/wallet-transaction";
import { AppError } from "@/lib/errors";

/**
 * Refuses a cancel or a claim that the limits of the caller do not list. A freeze stops claims too.
 * Orders are checked in their own transaction instead.
 */
export async function requireAction(
  principal: Principal,
  action: "CANCEL" | "REDEEM",
): Promise<void> {
  const isNew = action === "REDEEM";
  await requireAllowed(principal, { action, isNew, isSplit: false, market: null });
}

/** Like buying or selling, for the actions of limits. Approvals serve both, and buying comes first. */
const ACTION: Record<WalletTransactionKind, LimitedAction> = {
  redeem: "REDEEM",
  split: "BUY",
  merge: "SELL",
  approve: "BUY",
};

/**
 * Refuses a transaction of the wallet while the caller is frozen, and one that its limits do not list. A
 * split is also refused under limits of what buys cost.
 */
export async function requireWalletAction(
  principal: Principal,
  { kind, market = null }: { kind: WalletTransactionKind; market?: LimitedMarket | null },
): Promise<void> {
  const isSplit = kind === "split";
  await requireAllowed(principal, { action: ACTION[kind], isNew: true, isSplit, market });
}

interface Checked {
  action: LimitedAction;
  /** Whether a freeze refuses it. */
  isNew: boolean;
  /** Whether a limit of what buys cost refuses it. */
  isSplit: boolean;
  /** The market that limits must include; null if any may do. */
  market: LimitedMarket | null;
}

async function requireAllowed(
  principal: Principal,
  { action, isNew, isSplit, market }: Checked,
): Promise<void> {
  // Known from the lookup of the key.
  if (principal.isLimited === false) return;
  const { userId, mode, keyId } = principal;
  const query = { userId, mode, keyId, marketId: null, now: now() };
  for (const subject of await readLimitedSubjects(await getDb(), query)) {
    const frozen = isNew ? refuseFrozen(subject) : null;
    const refusal =
      frozen ??
      refuseAction(action, subject) ??
      (market && refuseMarket(market, subject)) ??
      (isSplit ? refuseSplit(subject) : null);
    if (refusal) throw new AppError(refusal.code, refusal.message);
  }
}
