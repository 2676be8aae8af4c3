import "server-only";
import { now } from "@/lib/clock";
import { getDb, withStatement } from "@/lib/db/client";
import {
  leaseReconciliation,
  selectUnsettledUsers,
  updateReconciliation,
} from "@/lib/db/queries/remote-orders";
import { env } from "@/lib/env";
import { forgetCredentials } from "@/lib/custody/credentials";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { abandonedSince, syncAccount } from "@/lib/services/remote-orders/sync-account";
import { remoteVenue } from "@/lib/venue";

/** How long one comparison may take before another process may begin it anew. */
const LEASE_MS = 60_000;
/** An account whose orders only rest is looked at less often. */
const RESTING_PAUSE_MS = 5_000;
/** How long an account is still compared after its last order ended. */
const WATCH_ENDED_MS = 5 * 60_000;
/** Accounts that are compared side by side. */
const AT_ONCE = 8;
/** A failing account is asked for less often, up to this. */
const LONGEST_BACKOFF_MS = 60_000;

export interface ReconcileReport {
  accounts: number;
  failed: number;
}

/**
 * Compares every account with something unsettled with the venue. Any number of processes, and the
 * cron route, may call it at once: each account is leased to one of them.
 */
export async function reconcile(): Promise<ReconcileReport> {
  return reconcileAll(await unsettledUsers());
}

export async function reconcileAll(userIds: readonly string[]): Promise<ReconcileReport> {
  const report = { accounts: 0, failed: 0 };
  const waiting = [...userIds];
  const work = async () => {
    for (let userId = waiting.pop(); userId !== undefined; userId = waiting.pop()) {
      const done = await reconcileAccount(userId);
      if (done === null) continue;
      report.accounts += 1;
      if (!done) report.failed += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return report;
}

/** Accounts with something that only the venue can tell the end of. */
export const unsettledUsers = async () =>
  selectUnsettledUsers(await getDb(), {
    abandoned: abandonedSince(),
    ended: new Date(now() - WATCH_ENDED_MS),
  });

/**
 * Whether it succeeded; null when another process has the account, or its time has not come.
 *
 * @param isDue whether its time has come, whatever was agreed.
 */
async function reconcileAccount(userId: string, isDue = false): Promise<boolean | null> {
  const at = isDue ? null : new Date(now());
  const until = new Date(now() + LEASE_MS);
  const lease = await withStatement((db) => leaseReconciliation(db, userId, { at, until }));
  if (!lease) return null;
  try {
    const connection = { venue: remoteVenue(), trader: await requireTrader(userId) };
    const { tradesUntil, isWaiting } = await syncAccount(connection, lease.tradesUntil);
    await withStatement((db) =>
      updateReconciliation(db, userId, {
        leasedUntil: new Date(now() + (isWaiting ? 0 : RESTING_PAUSE_MS)),
        tradesUntil,
        succeededAt: new Date(now()),
        failures: 0,
      }),
    );
    return true;
  } catch (error) {
    log.warn("account not reconciled", { userId, ...errorFields(error) });
    // Whoever has the wallet's key may have ended them at the venue.
    const isRefused = error instanceof AppError && error.code === "UPSTREAM_AUTH_FAILED";
    if (isRefused) await forgetCredentials(userId);
    const failures = lease.failures + 1;
    await withStatement((db) =>
      updateReconciliation(db, userId, { leasedUntil: retryAt(failures), failures }),
    );
    return false;
  }
}

function retryAt(failures: number): Date {
  const pause = env().RECONCILE_TICK_MS * 2 ** Math.min(failures, 10);
  return new Date(now() + Math.min(pause, LONGEST_BACKOFF_MS));
}

/** Lets an account be compared at once, whenever its turn would have been. */
export async function hurry(userId: string): Promise<void> {
  await reconcileAccount(userId, true);
}
