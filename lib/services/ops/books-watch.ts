import "server-only";
import { now } from "@/lib/clock";
import { getDb, getDatabase, withTransaction } from "@/lib/db/client";
import { leaseBooksCheck, putBooksCheck, selectBooksCheck } from "@/lib/db/queries/ops";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { errorFields, log } from "@/lib/log";

/** The books are checked this often, by one process of all that share the database. */
const CHECK_EVERY_MS = 10 * 60_000;
/** How often a process looks whether it is its turn. */
const LOOK_EVERY_MS = 60_000;
/** Who began a check and does not finish it within this time has died. */
const LEASE_MS = 5 * 60_000;
/** A check that takes long is made less often: it may take this part of the time at most. */
const TIME_SHARE = 100;
/** The embedded database holds up every request while it reads: here for about half a second. */
const MAX_EMBEDDED_LINES = 50_000;
/** How many disagreements a log line names. */
const MAX_NAMED = 5;

/**
 * Checks the books again and again, and raises an alarm when they do not add up: a log line
 * LEDGER_DISAGREES, the metric, and the status page.
 *
 * @returns a function that stops it and waits for a check under way.
 */
export function startBooksWatch(): () => Promise<void> {
  let underWay: Promise<unknown> | null = null;
  const look = () => {
    underWay ??= watchBooks()
      .catch((error: unknown) => log.error("books not checked", errorFields(error)))
      .finally(() => {
        underWay = null;
      });
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

/** Checks the books if it is time and nobody else does. Returns whether it did. */
export async function watchBooks(): Promise<boolean> {
  const at = new Date(now());
  const lease = { at, until: new Date(at.getTime() + LEASE_MS) };
  if (!(await withTransaction((tx) => leaseBooksCheck(tx, lease)))) return false;
  if (await isTooLarge()) {
    const leasedUntil = new Date(now() + CHECK_EVERY_MS);
    await withTransaction((tx) => putBooksCheck(tx, { leasedUntil }));
    log.warn("the books are too large to be checked beside the requests: use admin verify");
    return false;
  }
  const startedAt = performance.now();
  const { problems, transfers, accounts, orders } = await verifyBooks();
  const durationMs = Math.round(performance.now() - startedAt);
  const checkedAt = new Date(now());
  const pauseMs = Math.max(CHECK_EVERY_MS, durationMs * TIME_SHARE);
  await withTransaction((tx) =>
    putBooksCheck(tx, {
      leasedUntil: new Date(checkedAt.getTime() + pauseMs),
      checkedAt,
      problems: problems.length,
      transfers,
      accounts,
      orders,
      durationMs,
    }),
  );
  const told = { durationMs, count: problems.length };
  if (problems.length === 0) log.info("books checked", { ...told, count: transfers });
  else log.error("LEDGER_DISAGREES", { ...told, error: problems.slice(0, MAX_NAMED).join("; ") });
  return true;
}

/** What the last check counted tells enough: books grow, but not at once. */
async function isTooLarge(): Promise<boolean> {
  if ((await getDatabase()).kind !== "embedded") return false;
  const last = await selectBooksCheck(await getDb());
  return last !== null && last.transfers > MAX_EMBEDDED_LINES;
}
