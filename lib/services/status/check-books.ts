import "server-only";
import { now } from "@/lib/clock";
import { verifyBooks } from "@/lib/ledger/verify-books";

/** The result of recomputing the books. Which account disagrees is for the operator only. */
export interface BooksCheck {
  at: Date;
  transfers: number;
  accounts: number;
  orders: number;
  problems: number;
}

/** A check reads everything, so that anybody's asking again within this time gets the same one. */
const KEPT_MS = 60_000;

let kept: { until: number; check: Promise<BooksCheck> } | null = null;

/** Recomputes every balance and position of the service and counts what disagrees. */
export function checkBooks(): Promise<BooksCheck> {
  if (kept && kept.until > now()) return kept.check;
  const check = runCheck();
  kept = { until: now() + KEPT_MS, check };
  // A check that could not be made is not an answer to keep.
  check.catch(() => (kept = null));
  return check;
}

async function runCheck(): Promise<BooksCheck> {
  const { transfers, accounts, orders, problems } = await verifyBooks();
  return { at: new Date(now()), transfers, accounts, orders, problems: problems.length };
}
