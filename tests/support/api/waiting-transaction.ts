import { expect } from "vitest";
import { getDb } from "@/lib/db/client";
import {
  insertWalletTransaction,
  selectWalletTransaction,
} from "@/lib/db/queries/wallet-transactions";
import { newId } from "@/lib/ids";

/** Inserts a copy of a transaction that waits, as only live ones do. Returns its id. */
export async function insertWaitingTransaction(userId: string, id: string): Promise<string> {
  const db = await getDb();
  const row = await selectWalletTransaction(db, userId, id);
  const copy =
    row &&
    (await insertWalletTransaction(db, {
      ...row,
      id: newId("wtx"),
      keyHash: null,
      status: "waiting",
    }));
  return copy?.id ?? expect.fail("the transaction is recorded");
}
