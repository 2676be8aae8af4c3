import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import {
  selectTransactionHashes,
  selectWalletTransaction,
  selectWalletTransactions,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { AppError } from "@/lib/errors";
import { requireAccount } from "@/lib/accounts/require-account";
import type { WalletTransaction, WalletTransactionList } from "@/lib/schemas/wallet-transactions";
import { toWalletTransaction } from "@/lib/wallet-transactions/views";

/** The newest transactions; older ones are read by their ids. */
const LIMIT = 100;

/** Lists an account's claims, splits, merges and approvals, newest first. */
export async function listTransactions(
  principal: Principal,
  { isOpen = false }: { isOpen?: boolean } = {},
): Promise<z.output<typeof WalletTransactionList>> {
  const db = await getDb();
  const { userId, epoch } = await requireAccount(db, principal);
  const rows = await selectWalletTransactions(db, { userId, epoch, isOpen, limit: LIMIT });
  const hashes = await selectTransactionHashes(db, rows);
  return {
    transactions: rows.map((row) => toWalletTransaction(row, hashes.get(row.id) ?? null)),
  };
}

/** A transaction, with the title of its market. */
export type TitledTransaction = z.output<typeof WalletTransaction> & {
  /** Null for approvals, and for a market that isn't recorded. */
  marketTitle: string | null;
};

/** Lists an account's transactions that aren't final, newest first. */
export async function listOpenTransactions(principal: Principal): Promise<TitledTransaction[]> {
  const { transactions } = await listTransactions(principal, { isOpen: true });
  const ids = transactions.flatMap(({ marketId }) => marketId ?? []);
  const markets = ids.length === 0 ? [] : await selectMarketRows(await getDb(), ids);
  const titles = new Map(markets.map(({ id, title }) => [id, title]));
  return transactions.map((each) => ({
    ...each,
    marketTitle: titles.get(each.marketId ?? "") ?? null,
  }));
}

/** Returns one transaction of the account. Throws TRANSACTION_NOT_FOUND. */
export async function getTransaction(
  principal: Principal,
  id: string,
): Promise<z.output<typeof WalletTransaction>> {
  return describeTransaction(await requireTransaction(principal, id));
}

/** Reads the row of a transaction of the account. Throws TRANSACTION_NOT_FOUND. */
export async function requireTransaction(
  principal: Principal,
  id: string,
): Promise<WalletTransactionRow> {
  const db = await getDb();
  const { userId, epoch } = await requireAccount(db, principal);
  const row = await selectWalletTransaction(db, userId, id);
  if (row?.epoch === epoch) return row;
  throw new AppError("TRANSACTION_NOT_FOUND", "Not found, or not in your account.");
}

/** Maps a transaction to its form in the API, with its hash on the chain. */
export async function describeTransaction(
  row: WalletTransactionRow,
): Promise<z.output<typeof WalletTransaction>> {
  const hashes = await selectTransactionHashes(await getDb(), [row]);
  return toWalletTransaction(row, hashes.get(row.id) ?? null);
}
