import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { ExpiringCache } from "@/lib/expiring-cache";
import { selectBooksCheck } from "@/lib/db/queries/ops";
import type { CheckedDay } from "@/lib/domain/checked-days";
import { checkSinceCheckpoint } from "@/lib/ledger/books-checkpoint";
import { errorFields, log } from "@/lib/log";

/**
 * The result of a books check for users. It names no accounts and has no counts of the whole service,
 * which only the operator may see.
 */
interface BooksCheck {
  at: Date;
  problems: number;
}

/** A check reads the whole ledger, so its result is reused for this long. */
const REUSE_MS = 60_000;

/** The padlock of every page reads the newest check, so it is reused for this long. */
const STATE_MS = 15_000;

const NEWEST = "newest";
const states = new ExpiringCache<BooksCheck | null>({
  max: 1,
  freshMs: STATE_MS,
  name: "books-state",
});

let latest: { until: number; check: Promise<BooksCheck> } | null = null;
/** The newest result of `checkBooks` in this process, which no table stores. */
let own: BooksCheck | null = null;

/** Recomputes every balance and position of the service and counts the mismatches. */
export function checkBooks(): Promise<BooksCheck> {
  if (latest && latest.until > now()) return latest.check;
  const check = runCheck();
  latest = { until: now() + REUSE_MS, check };
  // A failed check is not reused.
  check.catch(() => (latest = null));
  return check;
}

async function runCheck(): Promise<BooksCheck> {
  const { problems } = await checkSinceCheckpoint();
  own = { at: new Date(now()), problems: problems.length };
  states.set(NEWEST, own);
  return own;
}

/**
 * Returns when the books were checked last, in ISO 8601, and the number of mismatches: at most 15 seconds
 * late, for the padlock of every page. Null before the first check, and without a database.
 */
export async function readBooksState(): Promise<{ at: string; problems: number } | null> {
  const check = await states.get(NEWEST, findLastBooksCheck).catch((error: unknown) => {
    log.warn("newest books check not read", errorFields(error));
    return null;
  });
  return check && { at: check.at.toISOString(), problems: check.problems };
}

/** Returns the periodic checks of the last days, oldest day first. Days without a check are left out. */
export async function readCheckedDays(): Promise<readonly CheckedDay[]> {
  return (await selectBooksCheck(await getDb()))?.days ?? [];
}

/** Returns the newest check, periodic or on request; null before the first. */
export async function findLastBooksCheck(): Promise<BooksCheck | null> {
  const row = await selectBooksCheck(await getDb());
  if (!row?.checkedAt) return own;
  const periodic = { at: row.checkedAt, problems: row.problems };
  return own && own.at > periodic.at ? own : periodic;
}
