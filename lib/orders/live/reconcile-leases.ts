import "server-only";
import { now } from "@/lib/clock";
import { getDb, withStatement, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  endReconciliationPauses,
  leaseReconciliation,
  selectIdleUsers,
  selectUnsettledUsers,
  selectWalletUsers,
  updateReconciliation,
  selectReconciliation,
} from "@/lib/db/queries/remote-orders";
import { env } from "@/lib/env";
import { forgetCredentials } from "@/lib/custody/credentials";
import { AppError, type ErrorCode } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import { post } from "@/lib/ledger/transfers";
import { requireTrader } from "@/lib/accounts/require-trader";
import { computeAbandonedSince, syncAccount } from "@/lib/orders/live/reconcile-account";
import { remoteVenue } from "@/lib/venues";
import type { Principal } from "@/lib/auth/principal";
import type { VenueOutage } from "@/lib/stale-reads";

/**
 * Another process may take over a reconciliation after this time. It is short, because the orders of a
 * killed process wait for it. Two concurrent reconciliations only cost requests.
 */
const LEASE_MS = 10_000;
/** Poll interval of an account that has only resting orders. */
const RESTING_PAUSE_MS = 5_000;
/** Poll interval of an account with nothing unsettled: its user stream reports changes sooner. */
const IDLE_PAUSE_MS = 15_000;
/** Maximum number of user streams per process. */
const MAX_STREAMS = 500;
/** An account is reconciled for this long after its last order ended. */
const WATCH_ENDED_MS = 5 * 60_000;
/** Number of accounts that are reconciled concurrently. */
const AT_ONCE = 8;
/** Maximum back-off of a failing account. */
const LONGEST_BACKOFF_MS = 60_000;
const UNANSWERED: ReadonlySet<ErrorCode> = new Set(["UPSTREAM_UNAVAILABLE", "UPSTREAM_TIMEOUT"]);

export interface ReconcileReport {
  accounts: number;
  failed: number;
  /** Failed accounts whose venue did not respond. */
  unanswered: number;
}

/** Outcome of a reconciliation; null if another process holds the lease or the account is not due. */
type Outcome = "done" | "unanswered" | "failed" | null;

/**
 * Reconciles every due account with the venue. Any number of processes, and the cron route, may call
 * it concurrently: each account is leased to one of them.
 */
export async function reconcile(): Promise<ReconcileReport> {
  return reconcileAll(await findDueUsers());
}

export async function reconcileAll(userIds: readonly string[]): Promise<ReconcileReport> {
  const report = { accounts: 0, failed: 0, unanswered: 0 };
  const waiting = [...userIds];
  const work = async () => {
    for (let userId = waiting.pop(); userId !== undefined; userId = waiting.pop()) {
      const ended = await reconcileAccount(userId);
      if (ended === null) continue;
      report.accounts += 1;
      if (ended !== "done") report.failed += 1;
      if (ended === "unanswered") report.unanswered += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return report;
}

/**
 * Returns the accounts that may be due: accounts with unsettled orders, and idle accounts, because
 * other programs may place orders with the same wallet.
 */
export async function findDueUsers(unsettled?: readonly string[]): Promise<string[]> {
  const idle = await selectIdleUsers(await getDb(), IDLE_PAUSE_MS);
  return [...new Set([...(unsettled ?? (await findUnsettledUsers())), ...idle])];
}

/** Returns the accounts whose user streams are opened: unsettled accounts first. */
export async function findFollowedUsers(unsettled: readonly string[]): Promise<string[]> {
  const all = await selectWalletUsers(await getDb(), MAX_STREAMS);
  return [...new Set([...unsettled, ...all])].slice(0, MAX_STREAMS);
}

/** Returns the accounts with orders or trades whose outcome only the venue knows. */
export const findUnsettledUsers = async () =>
  selectUnsettledUsers(await getDb(), {
    abandoned: computeAbandonedSince(),
    ended: new Date(now() - WATCH_ENDED_MS),
  });

/** @param isDue reconciles the account now, even before it is due. */
async function reconcileAccount(userId: string, isDue = false): Promise<Outcome> {
  const terms = { leaseMs: LEASE_MS, isDue };
  const lease = await withStatement((db) => leaseReconciliation(db, userId, terms));
  if (!lease) return null;
  try {
    const connection = { venue: remoteVenue(), trader: await requireTrader(userId) };
    const { isWaiting, ...until } = await syncAccount(connection, lease);
    await withTransaction(async (tx) => {
      await updateReconciliation(tx, userId, isWaiting ? 0 : RESTING_PAUSE_MS, {
        ...until,
        succeededAt: new Date(now()),
        failures: 0,
      });
      if (lease.failures > 0) await recordVenueEvent(tx, userId, "venue.recovered");
    });
    return "done";
  } catch (error) {
    log.warn("account not reconciled", { userId, ...errorFields(error) });
    const code = error instanceof AppError ? error.code : null;
    // The owner may have revoked the API credentials at the venue.
    if (code === "UPSTREAM_AUTH_FAILED") await forgetCredentials(userId);
    const failures = lease.failures + 1;
    await withTransaction(async (tx) => {
      await updateReconciliation(tx, userId, computeRetryPause(failures), { failures });
      if (failures === 1) await recordVenueEvent(tx, userId, "venue.degraded");
    });
    return code !== null && UNANSWERED.has(code) ? "unanswered" : "failed";
  }
}

/** Tells the owner whether the account's orders can be compared with those of the venue. */
async function recordVenueEvent(
  tx: Tx,
  userId: string,
  type: "venue.degraded" | "venue.recovered",
): Promise<void> {
  const event = { owner: { userId, epoch: LIVE_EPOCH }, type, data: {}, cause: NO_CAUSE };
  await post(tx, { transfers: [], events: [event] }, new Date(now()));
}

/** Ends the back-off of all failed accounts, so that the next tick reconciles them. */
export async function endPauses(): Promise<void> {
  await withStatement((db) => endReconciliationPauses(db));
}

function computeRetryPause(failures: number): number {
  const pause = env().RECONCILE_TICK_MS * 2 ** Math.min(failures, 10);
  return Math.min(pause, LONGEST_BACKOFF_MS);
}

/** Reconciles an account now, even before it is due. */
export async function reconcileNow(userId: string): Promise<void> {
  await reconcileAccount(userId, true);
}

/**
 * Returns why the recorded orders of a live account may be stale: the last reconciliation failed.
 * Null if the record is current, and for paper accounts, which have no remote venue.
 */
export async function findOutage({ userId, mode }: Principal): Promise<VenueOutage | null> {
  if (mode === "paper") return null;
  const last = await selectReconciliation(await getDb(), userId);
  if (!last || last.failures === 0) return null;
  return {
    since: last.succeededAt?.getTime() ?? null,
    code: "UPSTREAM_UNAVAILABLE",
    message: "Your orders could not be compared with the venue's orders.",
  };
}
