import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { withTransaction } from "@/lib/db/client";
import { selectLiveOrders } from "@/lib/db/queries/orders";
import { startEpoch } from "@/lib/db/queries/users";
import { cancelOrders } from "@/lib/services/orders/cancel-orders";
import { postDeposit } from "@/lib/services/paper/deposit";
import type { Usdc } from "@/lib/units";

const MAX_ATTEMPTS = 10;

/** An order came in between canceling and locking: the reset starts over. */
class OrdersArrived extends Error {}

/**
 * Starts a paper account afresh: open orders are canceled, cash and positions stay behind in the
 * ended epoch, API keys and the record of orders are kept.
 */
export async function resetAccount(
  principal: Pick<Principal, "userId" | "keyId">,
  amount: Usdc,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await cancelOrders({ ...principal, mode: "paper", scopes: ["cancel"] });
    try {
      await startAfresh(principal.userId, amount);
      return;
    } catch (error) {
      if (!(error instanceof OrdersArrived) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function startAfresh(userId: string, amount: Usdc): Promise<void> {
  await withTransaction(async (tx) => {
    // Orders share-lock the user's row, so from here on none can come in.
    const epoch = await startEpoch(tx, userId);
    const live = await selectLiveOrders(tx, { userId, mode: "paper" });
    if (live.length > 0) throw new OrdersArrived("an order is live again");
    await postDeposit(tx, { userId, epoch }, amount);
  });
}
