import "server-only";
import { inArray } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { available, external, held, type Owner, USDC } from "@/lib/ledger/accounts";
import { type Shares, shares, type Usdc, usdc } from "@/lib/units";

export interface CashBalance {
  available: Usdc;
  held: Usdc;
  /** Available plus held. */
  owned: Usdc;
  /** Deposits minus withdrawals of this epoch. */
  netDeposits: Usdc;
}

export async function readCash(tx: Tx, owner: Owner): Promise<CashBalance> {
  const accounts = [available(owner, USDC), held(owner, USDC), external(owner)];
  const balances = await readBalances(
    tx,
    accounts.map((account) => account.id),
  );
  const [free = 0n, reserved = 0n, outside = 0n] = accounts.map(({ id }) => balances.get(id) ?? 0n);
  return toCashBalance(free, reserved, outside);
}

/** Converts the balances of the three USDC accounts. */
export function toCashBalance(free: bigint, reserved: bigint, outside: bigint): CashBalance {
  return {
    available: usdc(free),
    held: usdc(reserved),
    owned: usdc(free + reserved),
    netDeposits: usdc(-outside),
  };
}

/** Reads an owner's shares of a token: available, and held by open orders. */
export async function readShares(
  tx: Tx,
  owner: Owner,
  tokenId: string,
): Promise<{ available: Shares; held: Shares }> {
  const [free, reserved] = [available(owner, tokenId).id, held(owner, tokenId).id];
  const balances = await readBalances(tx, [free, reserved]);
  return {
    available: shares(balances.get(free) ?? 0n),
    held: shares(balances.get(reserved) ?? 0n),
  };
}

async function readBalances(tx: Tx, ids: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await tx
    .select({ id: ledgerAccounts.id, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row.balance]));
}
