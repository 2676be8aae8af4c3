import type { Refusal } from "@/lib/domain/funding";
import type { SignatureType } from "@/lib/polymarket/protocol/order-hash";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";
import type { Protocol } from "@/lib/domain/protocol";
import type { Shares, Usdc } from "@/lib/units";
import type { Market, Permission } from "@/lib/venue/port";

/** A live wallet, without its secrets. */
export interface RelayedWallet {
  /** The owner whose key signs. */
  address: string;
  funderAddress: string;
  signatureType: SignatureType;
}

/** What unsettled orders reserve. Splits and merges don't use it. */
interface Reservations {
  cash: bigint;
  /** By outcome. */
  shares: readonly [bigint, bigint];
}

/** What a wallet transaction shall do. */
export type WalletAction =
  | { kind: "redeem"; market: Market }
  | { kind: "split" | "merge"; market: Market; shares: Shares; reserved: Reservations }
  | { kind: "approve" };

/** A position that a claim redeems. */
export interface ClaimedPosition {
  tokenId: string;
  shares: Shares;
  payout: Usdc;
}

/** An action as calls of the wallet, at one moment. */
export type PreparedAction =
  | {
      outcome: "ready";
      /** Includes the approvals that the action needs and the wallet lacks. */
      calls: WalletCall[];
      /** Empty, unless the action is a claim. */
      claims: ClaimedPosition[];
    }
  /** Nothing is held, or no approval is missing. */
  | { outcome: "nothing_to_do" }
  | { outcome: "not_resolved" }
  /** The wallet has too little that no order reserves; in micro-units of cash for a split, of pairs for a merge. */
  | { outcome: "insufficient"; available: bigint };

/** An approval that trading needs: a contract that may move an asset of the wallet. */
export interface WalletApproval {
  /** USDC, or the contract that holds the shares. */
  asset: "usdc" | "shares_v1" | "shares_v2";
  /** A stable name of the contract. */
  spender: string;
  spenderAddress: string;
  /** What it is for, as a sentence for users. */
  purpose: string;
  isSet: boolean;
  /** Base units; null for shares, where the approval has no amount. */
  allowance: bigint | null;
}

/** A transaction as the relayer reports it. */
export interface RelayedTransaction {
  relayerId: string;
  /** `pending` includes every state that is not known to be final. */
  state: "pending" | "confirmed" | "failed";
  transactionHash: string | null;
  /** The relayer's reason for a failure; null if it gives none. */
  error: string | null;
}

/** The relayer's list of one owner's transactions that use a nonce. */
interface NonceUse extends RelayedTransaction {
  /** The text that the submission carried. */
  metadata: string;
}

export type RelaySubmission =
  | ({ outcome: "accepted" } & RelayedTransaction)
  /** Another transaction of the wallet is in progress. */
  | { outcome: "busy" }
  /** The operator's quota is used up. */
  | { outcome: "quota"; retryAfterMs: number }
  /** The wallet's nonce has moved on: these bytes have happened, or never can. */
  | { outcome: "stale_nonce" }
  /** The relayer does not accept the operator's credentials. */
  | { outcome: "not_authorized" }
  /** The relayer refuses this transaction for good. */
  | ({ outcome: "refused" } & Refusal)
  /** Nothing was sent. */
  | { outcome: "not_sent" }
  /** Whether the submission arrived is unknown. */
  | { outcome: "unknown" };

/** A claim, split or merge, as far as its transfers of shares show it on the chain. */
export interface PositionTransaction {
  kind: "redeem" | "split" | "merge";
  protocol: Protocol;
  tokenIds: readonly [string, string];
  /** The shares of each outcome; null for a claim. */
  shares: Shares | null;
}

/** A signed form that was sent, and whose nonce is used. */
interface SentForm {
  /** The exact bytes of the submission. */
  body: string;
  signedAt: Date;
  /** A time at which the nonce was used already; null if that is known since now only. */
  usedSince: Date | null;
}

/** Whether the chain proves that a form was executed. */
export type ExecutionProof =
  | { outcome: "executed"; transactionHash: string }
  /** Another transaction used the nonce, so the form can't happen any more. */
  | { outcome: "not_executed" }
  | { outcome: "undecided" };

/** The venue's service that executes transactions of wallets and pays for their gas. */
export interface WalletRelay {
  /** Returns why it does not work for a kind of wallet, as a sentence; null if it does. */
  explainUnavailable(signatureType: SignatureType): string | null;
  /** Reads the chain and builds the calls of an action. */
  prepare(wallet: RelayedWallet, action: WalletAction): Promise<PreparedAction>;
  readApprovals(wallet: RelayedWallet): Promise<WalletApproval[]>;
  /** Returns the next nonce, and the address that sends transactions of proxy wallets. */
  getNonce(wallet: RelayedWallet): Promise<{ nonce: bigint; relay: string | null }>;
  /** Sends stored bytes once. Never throws on network or relayer errors. */
  submit(body: string, permission: Permission): Promise<RelaySubmission>;
  /** Returns null if the relayer does not know the transaction, which proves nothing. */
  getTransaction(relayerId: string): Promise<RelayedTransaction | null>;
  /** Lists the transactions of an owner that use a nonce, as far as the relayer lists them. */
  findByNonce(wallet: RelayedWallet, nonce: bigint): Promise<NonceUse[]>;
  /** Finds out on the chain whether a form whose nonce is used was executed. */
  proveExecution(
    wallet: RelayedWallet,
    transaction: PositionTransaction,
    form: SentForm,
  ): Promise<ExecutionProof>;
}
