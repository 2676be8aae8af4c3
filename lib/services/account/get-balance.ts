import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readCash } from "@/lib/ledger/balances";
import type { Balance } from "@/lib/schemas/account";
import { requireAccount } from "@/lib/services/account/require-account";

/** Addresses, allowance, and the cash owned: what open buys reserve is still owned. */
export async function getBalance(principal: Principal): Promise<z.output<typeof Balance>> {
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal.userId);
    const { owned } = await readCash(tx, account);
    return {
      userId: account.userId,
      address: account.address,
      funderAddress: account.funderAddress,
      balanceBaseUnit: owned,
      allowanceBaseUnit: account.allowance,
      balanceUsdc: owned,
    };
  });
}
