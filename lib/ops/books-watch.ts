import "server-only";
import { now } from "@/lib/clock";
import { getDb, getDatabase, withTransaction } from "@/lib/db/client";
import { leaseBooksCheck, updateBooksCheck, selectBooksCheck } from "@/lib/db/queries/ops";
import { addCheck } from "@/lib/domain/checked-days";
import { checkSinceCheckpoint } from "@/lib/ledger/books-checkpoint";
import { readCheckpoint } from "@/lib/ledger/verify-books";
import { log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";

/** The interval of checks. One of the processes that share the database runs each. */
const CHECK_EVERY_MS = 10 * 60_000;
/** How often each process tries to lease the next check. */
const TRY_EVERY_MS = 60_000;
/** After this time a process that started a check is considered dead. */
const LEASE_MS = 5 * 60_000;
/** A slow check runs less often: the pause is at least this many times its duration. */
const MIN_PAUSE_RATIO = 100;
/**
 * The most transfers after the checkpoint that are checked on an embedded database, which blocks all
 * requests during a read. This many take about half a second.
 */
const MAX_EMBEDDED_TRANSFERS = 50_000;
/** How many mismatches a log line names. */
const MAX_NAMED = 5;

/**
 * Starts the periodic check of the books, the first one at once if it is due. Mismatches appear in the
 * log (LEDGER_DISAGREES), the metrics and on the status page.
 *
 * @returns a function that stops it and waits for a running check.
 */
export function startBooksWatch(): StopJob {
  return startJob({ name: "books check", everyMs: TRY_EVERY_MS, startsNow: true }, runDueCheck);
}

/** Checks the books if a check is due and no other process runs it. Returns whether it ran. */
export async function runDueCheck(): Promise<boolean> {
  const days = await withTransaction((tx) => leaseBooksCheck(tx, LEASE_MS));
  if (days === null) return false;
  if (await isTooLarge()) {
    await withTransaction((tx) => updateBooksCheck(tx, CHECK_EVERY_MS));
    log.warn("books check skipped: too many transfers for the embedded database; run admin verify");
    return false;
  }
  const startedAt = performance.now();
  const { problems, transfers, accounts, orders } = await checkSinceCheckpoint();
  const durationMs = Math.round(performance.now() - startedAt);
  const checkedAt = new Date(now());
  const pauseMs = Math.max(CHECK_EVERY_MS, durationMs * MIN_PAUSE_RATIO);
  await withTransaction((tx) =>
    updateBooksCheck(tx, pauseMs, {
      checkedAt,
      problems: problems.length,
      transfers,
      accounts,
      orders,
      durationMs,
      days: addCheck(days, checkedAt, problems.length),
    }),
  );
  const fields = { durationMs, count: problems.length };
  if (problems.length === 0) log.info("books checked", { ...fields, count: transfers });
  else log.error("LEDGER_DISAGREES", { ...fields, error: problems.slice(0, MAX_NAMED).join("; ") });
  return true;
}

/** Uses the count of the last check. The ledger grows slowly, so that is accurate enough. */
async function isTooLarge(): Promise<boolean> {
  if ((await getDatabase()).kind !== "embedded") return false;
  const db = await getDb();
  const [last, checkpoint] = [await selectBooksCheck(db), await readCheckpoint(db)];
  const known = Number(checkpoint?.transfers ?? 0);
  return last !== null && last.transfers - known > MAX_EMBEDDED_TRANSFERS;
}
