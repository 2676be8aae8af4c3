import "server-only";
import { getDb } from "@/lib/db/client";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import type { TransactionState, WalletTransactionRow } from "@/lib/db/queries/wallet-transactions";
import { assert } from "@/lib/errors";
import { walletRelay } from "@/lib/venues";
import { readLeased, recordStep, type StepChange } from "@/lib/wallet-transactions/change";
import { withTransactionLease } from "@/lib/wallet-transactions/lease";
import { settle } from "@/lib/wallet-transactions/settle";
import { hasExpired } from "@/lib/wallet-transactions/submit-step";

/** The outcome of a transaction, as the operator found it. */
export interface OperatorFinding {
  isExecuted: boolean;
  /** How the operator knows. It is in the user's security log. */
  reason: string;
  /** Its hash on the chain, if it was executed. */
  transactionHash: string | null;
}

/**
 * Ends a transaction whose outcome Ante can't prove as the operator found it. Refused while it can still
 * happen.
 */
export async function settleByOperator(
  id: string,
  finding: OperatorFinding,
): Promise<WalletTransactionRow> {
  const result = await withTransactionLease(id, async (lease) => {
    const state = await readLeased(id, lease.until);
    const { status, userId } = state.transaction;
    if (status !== "unknown") throw new Error(`${id} is ${status}, not unknown`);
    await requireDecided(state, finding);
    const detail = { transaction: id, reason: finding.reason };
    const audit = { userId, kind: "transaction_settled", detail } as const;
    if (finding.isExecuted) return settle(state, lease, finding.transactionHash, audit);
    const failure = `The operator found that it did not happen: ${finding.reason}`;
    const change: StepChange = { status: "failed", failure, audit };
    return recordStep(id, lease.until, () => change);
  });
  if (result) return result.transaction;
  throw new Error(`${id} is unknown, closed, or a process works on it. Try again`);
}

/** Checks that the wallet's nonce agrees with the finding. An unused one proves that nothing happened yet. */
async function requireDecided(
  { transaction, signed }: TransactionState,
  { isExecuted }: OperatorFinding,
): Promise<void> {
  const wallet = await selectLiveWallet(await getDb(), transaction.userId);
  assert(wallet && signed, "an unknown transaction has a wallet and a signed form");
  if (!isExecuted && hasExpired(signed)) return;
  const { nonce } = await walletRelay().getNonce(wallet);
  if (nonce > signed.nonce) return;
  throw new Error(
    `the wallet's nonce ${signed.nonce} is unused, so it has not happened and still can`,
  );
}
