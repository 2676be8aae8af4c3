import "server-only";
import { type AuditEvent, recordSecurityEvent } from "@/lib/auth/security-events";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { isFailedClaimNotified } from "@/lib/db/queries/notifications";
import {
  insertSignedTransaction,
  lockLeasedTransaction,
  type SignedTransactionRow,
  type TransactionState,
  updateSignedTransaction,
  updateWalletTransaction,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import type { TransactionEventType } from "@/lib/domain/account-events";
import {
  requireTransition,
  type WaitReason,
  type WalletTransactionStatus,
} from "@/lib/domain/wallet-transaction";
import type { EventDraft } from "@/lib/ledger/account-log";
import { post, type Transfer } from "@/lib/ledger/transfers";
import { describeState } from "@/lib/wallet-transactions/views";

/** Another process took over the lease of a transaction, so nothing may be recorded any more. */
export class TransactionLeaseLost extends Error {
  override readonly name = "TransactionLeaseLost";
}

/** What a step changes. Fields that are left out stay. */
export interface StepChange {
  status: WalletTransactionStatus;
  /** Why it waits; null, or left out, if it goes on. */
  waitReason?: WaitReason | null;
  failure?: string;
  /** Whether nothing is lost by the failure, or its owner caused it. */
  isExpected?: boolean;
  /** When the next step is due; 0, or left out, for now. */
  dueInMs?: number;
  claims?: WalletTransactionRow["claims"];
  /** A new signed form. */
  signed?: Pick<SignedTransactionRow, "body" | "nonce" | "deadline">;
  /** Changes of the last signed form. */
  form?: Partial<Pick<SignedTransactionRow, "isAmbiguous" | "relayerId" | "transactionHash">>;
  transfers?: readonly Transfer[];
  events?: readonly EventDraft[];
  /** The line of the security log, if the operator changes it. */
  audit?: AuditEvent | undefined;
}

/** A transaction after a step. */
export interface StepResult extends TransactionState {
  /** Whether the next step is due later. */
  waits: boolean;
}

/** Reads a transaction under its lease. Throws TransactionLeaseLost if the lease expired. */
export function readLeased(id: string, leasedUntil: Date): Promise<TransactionState> {
  return withTransaction((tx) => lock(tx, id, leasedUntil));
}

/**
 * Records a step of a transaction in one database transaction, under its lease: its status, its signed
 * form, the ledger and the account's log. Throws TransactionLeaseLost if the lease expired.
 */
export function recordStep(
  id: string,
  leasedUntil: Date,
  decide: (state: TransactionState) => StepChange,
): Promise<StepResult> {
  return withTransaction(async (tx) => {
    const state = await lock(tx, id, leasedUntil);
    return applyStep(tx, state, decide(state));
  });
}

async function lock(tx: Tx, id: string, leasedUntil: Date): Promise<TransactionState> {
  const state = await lockLeasedTransaction(tx, id, leasedUntil);
  if (!state) throw new TransactionLeaseLost(`the lease of ${id} expired`);
  return state;
}

async function applyStep(tx: Tx, state: TransactionState, change: StepChange): Promise<StepResult> {
  const { transaction } = state;
  const at = new Date(now());
  const { status, waitReason = null, dueInMs = 0 } = change;
  if (status !== transaction.status) requireTransition(transaction.status, status);
  const columns = {
    status,
    waitReason,
    failure: change.failure ?? transaction.failure,
    claims: change.claims ?? transaction.claims,
    attempts: transaction.attempts + (change.signed ? 1 : 0),
  };
  const isChanged = status !== transaction.status || waitReason !== transaction.waitReason;
  const updatedAt = isChanged ? at : transaction.updatedAt;
  await updateWalletTransaction(tx, transaction.id, { ...columns, updatedAt, dueInMs });
  const after = { ...transaction, ...columns, updatedAt };
  const signed = await writeForm(tx, state, after, change);
  const type = chooseEvent(state, after, signed);
  const notifiesOwner = await isNotification(tx, after, change);
  const events = type ? [draftTransactionEvent(type, after, { signed, notifiesOwner })] : [];
  const posting = {
    transfers: change.transfers ?? [],
    events: [...events, ...(change.events ?? [])],
  };
  await post(tx, posting, at);
  if (change.audit) await recordSecurityEvent(tx, change.audit);
  return { transaction: after, signed, readAt: state.readAt, waits: dueInMs > 0 };
}

async function writeForm(
  tx: Tx,
  { signed }: TransactionState,
  { id: transactionId, wallet, attempts: attempt }: WalletTransactionRow,
  change: StepChange,
): Promise<SignedTransactionRow | null> {
  if (change.signed) {
    const row: SignedTransactionRow = {
      ...change.signed,
      transactionId,
      attempt,
      wallet,
      isAmbiguous: false,
      relayerId: null,
      transactionHash: null,
      createdAt: new Date(now()),
    };
    await insertSignedTransaction(tx, row);
    return row;
  }
  if (!signed || !change.form) return signed;
  await updateSignedTransaction(tx, signed, change.form);
  return { ...signed, ...change.form };
}

/** Chooses the event of a step. Steps that change nothing for the user have none. */
function chooseEvent(
  { transaction: before, signed: formBefore }: TransactionState,
  after: WalletTransactionRow,
  form: SignedTransactionRow | null,
): TransactionEventType | null {
  switch (after.status) {
    case "confirmed":
    case "failed":
      return `transaction.${after.status}`;
    case "submitted":
      return before.status === "submitted" ? null : "transaction.submitted";
    case "unknown": {
      // Repeated attempts of the same bytes stay unknown.
      const wasAmbiguous = before.attempts === after.attempts && formBefore?.isAmbiguous === true;
      return form?.isAmbiguous === true && !wasAmbiguous ? "transaction.unknown" : null;
    }
    case "waiting":
    case "signed":
    case "submitting": {
      const isNew = after.waitReason !== null && after.waitReason !== before.waitReason;
      return isNew ? "transaction.waiting" : null;
    }
  }
}

/**
 * Whether a change is a notification: an automatic claim failed, which its owner doesn't see otherwise. It is
 * repeated every hour, so only its first failure is one.
 */
async function isNotification(
  tx: Tx,
  { status, isAutomatic, userId, marketId }: WalletTransactionRow,
  { isExpected = false }: StepChange,
): Promise<boolean> {
  if (status !== "failed" || !isAutomatic || marketId === null || isExpected) return false;
  return !(await isFailedClaimNotified(tx, { userId, marketId }));
}

/** Drafts the event that tells the owner how far a transaction is. */
function draftTransactionEvent(
  type: TransactionEventType,
  row: WalletTransactionRow,
  { signed, notifiesOwner }: { signed: SignedTransactionRow | null; notifiesOwner: boolean },
): EventDraft {
  const owner = { userId: row.userId, epoch: row.epoch };
  const cause = { requestId: row.requestId, keyId: row.keyId };
  const state = describeState(row, signed?.transactionHash ?? null);
  return { owner, type, data: notifiesOwner ? { ...state, notifiesOwner } : state, cause };
}
