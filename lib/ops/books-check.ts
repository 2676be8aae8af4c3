import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectBooksCheck } from "@/lib/db/queries/ops";
import { checkSinceCheckpoint } from "@/lib/ledger/books-checkpoint";

/** The result of a books check. It does not name accounts, which only the operator may see. */
export interface BooksCheck {
  at: Date;
  transfers: number;
  accounts: number;
  orders: number;
  problems: number;
}

/** A check reads the whole ledger, so its result is reused for this long. */
const REUSE_MS = 60_000;

let latest: { until: number; check: Promise<BooksCheck> } | null = null;

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
  const { transfers, accounts, orders, problems } = await checkSinceCheckpoint();
  return { at: new Date(now()), transfers, accounts, orders, problems: problems.length };
}

/** Returns the newest periodic check; null before the first. */
export async function findLastBooksCheck(): Promise<BooksCheck | null> {
  const row = await selectBooksCheck(await getDb());
  if (!row?.checkedAt) return null;
  const { checkedAt: at, transfers, accounts, orders, problems } = row;
  return { at, transfers, accounts, orders, problems };
}
