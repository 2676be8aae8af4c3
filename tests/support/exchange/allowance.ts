import { eq } from "drizzle-orm";
import { withTransaction } from "@/lib/db/client";
import { lockOwner } from "@/lib/db/queries/wallets";
import { wallets } from "@/lib/db/schema/accounts";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { post } from "@/lib/ledger/transfers";

/** Sets the USDC that the exchange may spend for a user, in base units; null if unknown. */
export async function setAllowance(userId: string, allowance: bigint | null): Promise<void> {
  await withTransaction(async (tx) => {
    const owner = await lockOwner(tx, userId);
    if (!owner) throw new Error("the user has a wallet");
    await tx.update(wallets).set({ allowance }).where(eq(wallets.userId, userId));
    const changed = { owner, type: "balance.changed", data: null, cause: NO_CAUSE } as const;
    await post(tx, { transfers: [], events: [changed] }, new Date());
  });
}
