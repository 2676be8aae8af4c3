import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectDepositAmount } from "@/lib/db/queries/deposits";
import { selectUnsettledOrders } from "@/lib/db/queries/orders";
import { startEpoch } from "@/lib/db/queries/users";
import { newId } from "@/lib/ids";
import { postNamedDeposit } from "@/lib/accounts/deposit";
import { requireFormKey } from "@/lib/accounts/deposit-once";
import { type Cause, openAccountLog, toCause } from "@/lib/ledger/account-log";
import { post } from "@/lib/ledger/transfers";
import { now } from "@/lib/clock";
import type { Usdc } from "@/lib/units";
import { paperExchange } from "@/lib/venues";

const MAX_ATTEMPTS = 10;

/** An order was placed between canceling and locking, so the reset starts over. */
class OrdersArrived extends Error {}

/** This reset was done before. */
class AlreadyReset extends Error {}

/** Resets a paper account, once per key. */
export async function resetOnce(
  principal: Pick<Principal, "userId" | "keyId" | "requestId">,
  key: string,
  amount: Usdc,
): Promise<void> {
  requireFormKey(key);
  // Includes the user, so that a key can't match another user's reset.
  const depositId = `reset/${principal.userId}/${key}`;
  if ((await selectDepositAmount(await getDb(), depositId)) !== null) return;
  try {
    await resetAccount(principal, amount, depositId);
  } catch (error) {
    if (!(error instanceof AlreadyReset)) throw error;
  }
}

/**
 * Resets a paper account: cancels open orders and starts a new epoch without the cash and positions
 * of the old one. API keys and the order history stay.
 */
export async function resetAccount(
  principal: Pick<Principal, "userId" | "keyId" | "requestId">,
  amount: Usdc,
  depositId = newId("dep"),
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { userId, keyId, requestId } = principal;
    const orders = await selectUnsettledOrders(await getDb(), { userId, mode: "paper" });
    await paperExchange().cancelOrders({ orders, userId, keyId, requestId });
    try {
      await startNewEpoch(userId, { id: depositId, amount }, toCause(principal));
      return;
    } catch (error) {
      if (!(error instanceof OrdersArrived) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

/** The first deposit of the new epoch carries the reset's id, which is unique. */
async function startNewEpoch(
  userId: string,
  deposit: { id: string; amount: Usdc },
  cause: Cause,
): Promise<void> {
  await withTransaction(async (tx) => {
    // Placing an order takes a share lock on the user's row, so no order can arrive from here on.
    const epoch = await startEpoch(tx, userId);
    if ((await selectDepositAmount(tx, deposit.id)) !== null) throw new AlreadyReset();
    const unsettled = await selectUnsettledOrders(tx, { userId, mode: "paper" });
    if (unsettled.length > 0) throw new OrdersArrived("an order is live again");
    const owner = { userId, epoch };
    const ended = {
      owner: { userId, epoch: epoch - 1 },
      type: "account.reset",
      data: { nextEpoch: epoch },
      cause,
    } as const;
    await post(tx, { transfers: [], events: [ended] }, new Date(now()));
    await openAccountLog(tx, owner);
    if (deposit.amount > 0n) await postNamedDeposit(tx, owner, deposit, cause);
  });
}
