import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import type { TransactionState, WalletTransactionRow } from "@/lib/db/queries/wallet-transactions";
import { AppError } from "@/lib/errors";
import type { WalletTransaction } from "@/lib/schemas/wallet-transactions";
import { recordStep, type StepChange } from "@/lib/wallet-transactions/change";
import { withTransactionLease } from "@/lib/wallet-transactions/lease";
import {
  describeTransaction,
  requireTransaction,
} from "@/lib/wallet-transactions/list-transactions";

const CANCELED = "You canceled it. Nothing changed.";

/**
 * Cancels a transaction that was not submitted, or that the relayer refused each time. A repeated request
 * returns the same transaction.
 *
 * @throws ORDER_NOT_CANCELABLE if it can have happened, and ORDER_IN_PROGRESS while a process works on it.
 */
export async function cancelTransaction(
  principal: Principal,
  id: string,
): Promise<z.output<typeof WalletTransaction>> {
  const row = await requireTransaction(principal, id);
  if (isCanceled(row)) return describeTransaction(row);
  const result = await withTransactionLease(id, (lease) => recordStep(id, lease.until, cancel));
  if (result) return describeTransaction(result.transaction);
  const after = await requireTransaction(principal, id);
  if (isCanceled(after)) return describeTransaction(after);
  // Throws unless it is being sent at this moment.
  requireUnsent(after);
  throw new AppError("ORDER_IN_PROGRESS", "Ante is working on this transaction. Try again.");
}

const isCanceled = ({ status, failure }: WalletTransactionRow) =>
  status === "failed" && failure === CANCELED;

function cancel({ transaction }: TransactionState): StepChange {
  requireUnsent(transaction);
  return { status: "failed", failure: CANCELED, isExpected: true };
}

/** Refuses a transaction of which a signed form may have been accepted, or that is closed. */
function requireUnsent({ status }: WalletTransactionRow): void {
  switch (status) {
    case "waiting":
    case "signed":
      return;
    case "confirmed":
      throw notCancelable("It is confirmed.");
    case "failed":
      throw notCancelable("It has failed already. Nothing changed.");
    case "submitting":
    case "unknown":
    case "submitted":
      throw notCancelable("It was submitted to Polymarket.");
  }
}

const notCancelable = (why: string) =>
  new AppError("ORDER_NOT_CANCELABLE", `This transaction can't be canceled. ${why}`);
