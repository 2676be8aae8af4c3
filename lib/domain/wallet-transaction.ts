import { assert } from "@/lib/errors";

/** What a wallet transaction does with positions, or which approvals it sets. */
export const WALLET_TRANSACTION_KINDS = ["redeem", "split", "merge", "approve"] as const;
export type WalletTransactionKind = (typeof WALLET_TRANSACTION_KINDS)[number];

/**
 * - `waiting`: it is recorded, and no signed form of it can happen.
 * - `signed`: its bytes are stored. None was accepted: each was refused, or nothing was sent.
 * - `submitting`: a process sends the bytes now.
 * - `unknown`: they were sent, and whether they were accepted is unknown.
 * - `submitted`: the relayer accepted them, and they are not final on the chain.
 */
export const WALLET_TRANSACTION_STATUSES = [
  "waiting",
  "signed",
  "submitting",
  "unknown",
  "submitted",
  "confirmed",
  "failed",
] as const;
export type WalletTransactionStatus = (typeof WALLET_TRANSACTION_STATUSES)[number];

/** Every change of status. Back to `waiting` only if the signed form is proved never to happen. */
const NEXT: Record<WalletTransactionStatus, readonly WalletTransactionStatus[]> = {
  waiting: ["signed", "confirmed", "failed"],
  signed: ["submitting", "waiting", "failed"],
  submitting: ["signed", "waiting", "unknown", "submitted", "failed"],
  unknown: ["submitting", "waiting", "submitted", "confirmed", "failed"],
  submitted: ["waiting", "unknown", "confirmed", "failed"],
  confirmed: [],
  failed: [],
};

/** A signed form exists that may happen. A wallet has one such transaction at a time. */
export const IN_FLIGHT_STATUSES = ["signed", "submitting", "unknown", "submitted"] as const;
/** The transaction can still change. */
export const OPEN_STATUSES = ["waiting", ...IN_FLIGHT_STATUSES] as const;

export const isOpen = (status: WalletTransactionStatus): boolean => NEXT[status].length > 0;

/** Throws unless a transaction may change from one status to the other. */
export function requireTransition(
  from: WalletTransactionStatus,
  to: WalletTransactionStatus,
): void {
  assert(NEXT[from].includes(to), `a wallet transaction does not change from ${from} to ${to}`);
}

/** Why a transaction does not go on now. Each is tried again later. */
export const WAIT_REASONS = [
  "wallet_busy",
  "quota",
  "frozen",
  "no_response",
  "not_authorized",
  "unproved",
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The status that users and programs see. */
export const PUBLIC_STATUSES = ["waiting", "submitted", "unknown", "confirmed", "failed"] as const;
export type PublicStatus = (typeof PUBLIC_STATUSES)[number];

export function toPublicStatus(status: WalletTransactionStatus): PublicStatus {
  switch (status) {
    case "signed":
      return "waiting";
    case "submitting":
      return "unknown";
    default:
      return status;
  }
}
