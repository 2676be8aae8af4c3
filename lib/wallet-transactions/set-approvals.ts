import "server-only";
import type { z } from "zod";
import { requireAccount } from "@/lib/accounts/require-account";
import { requireWalletAction } from "@/lib/accounts/require-action";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import {
  selectOpenApproval,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import type { WalletApprovals } from "@/lib/schemas/wallet-transactions";
import type { WalletApproval } from "@/lib/venue/wallet-relay";
import { describeTransaction } from "@/lib/wallet-transactions/list-transactions";
import { readOutcome } from "@/lib/wallet-transactions/outcome";
import { recordTransaction } from "@/lib/wallet-transactions/record";
import { requireRelay, requireSigningRelay } from "@/lib/wallet-transactions/require-relay";

/** Returns the approvals that trading needs, and which of them the live wallet has given. */
export async function getApprovals(
  principal: Principal,
): Promise<z.output<typeof WalletApprovals>> {
  if (principal.mode === "paper") return getPaperApprovals(principal);
  const { wallet, relay } = await requireRelay(principal.userId);
  const open = await selectOpenApproval(await getDb(), principal.userId);
  return toApprovals(wallet.funderAddress, await relay.readApprovals(wallet), open);
}

/**
 * Sets the missing approvals with one transaction of the live wallet. Returns the open one while there
 * is one, and makes none if nothing is missing.
 */
export async function setApprovals(
  principal: Principal,
): Promise<z.output<typeof WalletApprovals>> {
  if (principal.mode === "paper") return getPaperApprovals(principal);
  await requireWalletAction(principal, { kind: "approve" });
  const { wallet, relay } = await requireSigningRelay(principal.userId);
  const approvals = await relay.readApprovals(wallet);
  const open = await selectOpenApproval(await getDb(), principal.userId);
  if (!open && approvals.every(({ isSet }) => isSet)) {
    return toApprovals(wallet.funderAddress, approvals, null);
  }
  const recorded =
    open ??
    (await recordTransaction(principal, { wallet, kind: "approve", market: null, shares: null })) ??
    (await selectOpenApproval(await getDb(), principal.userId));
  const after = recorded && (await readOutcome(recorded));
  return toApprovals(wallet.funderAddress, await relay.readApprovals(wallet), after);
}

/** A paper account has no chain, so nothing needs an approval. */
async function getPaperApprovals(principal: Principal) {
  const { funderAddress } = await requireAccount(await getDb(), principal);
  return toApprovals(funderAddress, [], null);
}

async function toApprovals(
  address: string,
  approvals: readonly WalletApproval[],
  transaction: WalletTransactionRow | null,
): Promise<z.output<typeof WalletApprovals>> {
  return {
    address,
    isComplete: approvals.every(({ isSet }) => isSet),
    approvals: approvals.map(({ allowance, ...approval }) => ({
      ...approval,
      allowanceBaseUnit: allowance?.toString() ?? null,
    })),
    transaction: transaction && (await describeTransaction(transaction)),
  };
}
