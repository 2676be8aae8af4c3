import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { selectLiveOrders } from "@/lib/db/queries/orders";
import { allowanceState } from "@/lib/domain/allowance";
import { readCash } from "@/lib/ledger/balances";
import type { Wallet } from "@/lib/schemas/wallet";
import { requireAccount } from "@/lib/services/account/require-account";
import { MAX_MICRO, usdc } from "@/lib/units";

/** Addresses, cash and allowance of the caller, from one moment. */
export async function getWallet(principal: Principal): Promise<z.output<typeof Wallet>> {
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal.userId);
    const { available, held, owned } = await readCash(tx, account);
    const { allowance } = account;
    const live = await selectLiveOrders(tx, principal.userId);
    return {
      userId: account.userId,
      address: account.address,
      funderAddress: account.funderAddress,
      balanceBaseUnit: owned,
      allowanceBaseUnit: allowance,
      balanceUsdc: owned,
      availableUsdc: available,
      reservedUsdc: held,
      allowanceState: allowanceState(allowance, owned),
      allowanceUsdc: allowance === null || allowance > MAX_MICRO ? null : usdc(allowance),
      epoch: account.epoch,
      openOrders: live.length,
    };
  });
}
