import "server-only";
import { getAddress } from "ethers";
import { chooseExchange } from "@/lib/domain/protocol";
import { env } from "@/lib/env";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import { findAccount } from "@/lib/sandbox/accounts";
import { chainId } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import type { OrderPayload } from "@/lib/sandbox/order-payload";
import { readApprovals } from "@/lib/sandbox/wallet-approvals";
import { getPositionToken } from "@/lib/sandbox/plan-calls";
import { settleWallet } from "@/lib/sandbox/settle-wallet";
import type { Market } from "@/lib/venue/port";

const NOT_ENOUGH = "not enough balance / allowance";

/**
 * Refuses every maker but a deposit wallet under strict rules. The venue refuses new ones only: makers
 * that traded before May 2026 still may (polymarket.md 1.8), and the sandbox has none.
 */
export function assertMakerAllowed({ signatureType }: OrderPayload["order"]): void {
  if (env().SANDBOX_RULES === "open" || signatureType === SIGNATURE_TYPE.depositWallet) return;
  throw new SandboxError(400, "maker address not allowed, please use the deposit wallet flow");
}

/**
 * Finds the account of an order's maker and checks that the market's exchange may take what the order
 * sells. The venue's text for a missing allowance is not known (polymarket.md 2.5).
 *
 * @returns the account's user id.
 */
export async function requireApprovedMaker(
  order: OrderPayload["order"],
  market: Market,
): Promise<string> {
  const maker = getAddress(order.maker);
  await settleWallet(maker);
  const userId = await findAccount(maker);
  // A wallet that is not deployed has no money.
  if (userId === null) {
    const shortfall = `the balance is not enough -> balance: 0, order amount: ${order.makerAmount}`;
    throw new SandboxError(400, `${NOT_ENOUGH}: ${shortfall}`);
  }
  const { verifyingContract: spender } = getExchangeDomain(chainId(), chooseExchange(market));
  const approvals = await readApprovals(maker);
  const allowance =
    order.side === "BUY"
      ? approvals.getAllowance(spender)
      : approvals.getOperatorAllowance(getPositionToken(market), spender);
  if (allowance >= BigInt(order.makerAmount)) return userId;
  const shortfall = `the allowance is not enough -> spender: ${spender}, allowance: ${allowance}, order amount: ${order.makerAmount}`;
  throw new SandboxError(400, `${NOT_ENOUGH}: ${shortfall}`);
}
