import "server-only";
import { getDb } from "@/lib/db/client";
import { selectBooksCheck } from "@/lib/db/queries/ops";
import type { BooksCheck } from "@/lib/services/status/check-books";

/** The newest check that the service made by itself, or null before the first. */
export async function lastBooksCheck(): Promise<BooksCheck | null> {
  const row = await selectBooksCheck(await getDb());
  if (!row?.checkedAt) return null;
  const { checkedAt: at, transfers, accounts, orders, problems } = row;
  return { at, transfers, accounts, orders, problems };
}
