import "server-only";
import { eq } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { type Usdc, usdc } from "@/lib/units";

/** Selects the amount of a deposit; null if it doesn't exist. */
export async function selectDepositAmount(tx: Tx, id: string): Promise<Usdc | null> {
  const [row] = await tx
    .select({ amount: ledgerTransfers.amount })
    .from(ledgerTransfers)
    .where(eq(ledgerTransfers.id, id));
  return row ? usdc(row.amount) : null;
}
