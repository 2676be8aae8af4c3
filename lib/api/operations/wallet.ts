import "server-only";
import { z } from "zod";
import { SAMPLE_IDS } from "@/lib/api/operations/examples";
import { NO_INPUT, type Operation, VENUE_ERRORS } from "@/lib/api/operations/operation";
import { TransactionId } from "@/lib/schemas/parameters";
import {
  SplitOrMergeBody,
  WalletApprovals,
  WalletTransaction,
  WalletTransactionList,
} from "@/lib/schemas/wallet-transactions";

const COMMON = { isInContract: false, group: "Wallet" } as const;

const REFUSALS = [
  "ORDER_REJECTED",
  "RISK_LIMIT_EXCEEDED",
  "SESSION_KEY_EXPIRED",
  "TRADING_FROZEN",
  "WALLET_NOT_FOUND",
] as const;

const SPLIT_OR_MERGE = {
  ...COMMON,
  ...NO_INPUT,
  method: "POST",
  access: "trade",
  rate: "write",
  body: SplitOrMergeBody,
  response: WalletTransaction,
} as const;

const SPLIT_ERRORS = [
  ...REFUSALS,
  "IDEMPOTENCY_KEY_REUSED",
  "MARKET_CLOSED",
  "MARKET_NOT_FOUND",
  "ORDER_IN_PROGRESS",
  "ORDER_OUTCOME_UNKNOWN",
  "PRECISION_TOO_HIGH",
  ...VENUE_ERRORS,
] as const;

export const splitPosition = {
  ...SPLIT_OR_MERGE,
  path: "/v1/positions/split",
  title: "Split USDC",
  summary: "Turn USDC into shares of both outcomes",
  description:
    "Pays 1 USDC for one share of each outcome. On paper it is final at once. A live split is a " +
    "transaction of the wallet, which goes on in the background: status says how far it is.",
  errors: ["INSUFFICIENT_BALANCE", ...SPLIT_ERRORS],
  exampleBodies: {
    "100 pairs": { marketId: SAMPLE_IDS.marketId, shares: 100, idempotencyKey: "split-0001" },
  },
} as const satisfies Operation;

export const mergePositions = {
  ...SPLIT_OR_MERGE,
  path: "/v1/positions/merge",
  title: "Merge shares",
  summary: "Turn shares of both outcomes into USDC",
  description:
    "Gives one share of each outcome for 1 USDC. Shares that open orders reserve can't be merged. " +
    "A live merge goes on in the background, as a split does.",
  errors: ["INSUFFICIENT_SHARES", ...SPLIT_ERRORS],
  exampleBodies: {
    "100 pairs": { marketId: SAMPLE_IDS.marketId, shares: 100, idempotencyKey: "merge-0001" },
  },
  exampleValues: { "WalletTransaction.kind": "merge" },
} as const satisfies Operation;

export const getApprovals = {
  ...COMMON,
  ...NO_INPUT,
  method: "GET",
  path: "/v1/wallet/approvals",
  access: "read",
  rate: "read",
  title: "Approvals",
  summary: "List the approvals of the live wallet",
  description:
    "Lists every contract that needs an approval of the live wallet for trading, and whether the " +
    "wallet has given it, as read from the chain now. A paper account needs none.",
  response: WalletApprovals,
  errors: ["ORDER_REJECTED", "WALLET_NOT_FOUND", ...VENUE_ERRORS],
} as const satisfies Operation;

export const setApprovals = {
  ...COMMON,
  ...NO_INPUT,
  method: "POST",
  path: "/v1/wallet/approvals",
  access: "trade",
  rate: "write",
  title: "Set approvals",
  summary: "Give the missing approvals",
  description:
    "Sends one transaction of the live wallet with every approval that is missing, and none if " +
    "nothing is missing. It goes on in the background: transaction.status says how far it is.",
  response: WalletApprovals,
  errors: [...REFUSALS, "ORDER_OUTCOME_UNKNOWN", ...VENUE_ERRORS],
} as const satisfies Operation;

export const listTransactions = {
  ...COMMON,
  ...NO_INPUT,
  method: "GET",
  path: "/v1/wallet/transactions",
  access: "read",
  rate: "read",
  title: "Wallet transactions",
  summary: "List claims, splits, merges and approvals",
  description: "The account's newest 100, newest first. Claims on paper are in the activity only.",
  response: WalletTransactionList,
  errors: ["TRADING_PAUSED", "WALLET_NOT_FOUND"],
} as const satisfies Operation;

export const cancelTransaction = {
  ...COMMON,
  ...NO_INPUT,
  method: "DELETE",
  path: "/v1/wallet/transactions/{transactionId}",
  access: "cancel",
  rate: "write",
  title: "Cancel a wallet transaction",
  summary: "Cancel a transaction that was not submitted",
  description:
    "Ends a waiting claim, split, merge or approval as failed. One that was submitted, or may have been, " +
    "can't be canceled. A repeated request returns the same transaction.",
  params: z.object({ transactionId: TransactionId }),
  response: WalletTransaction,
  errors: [
    "ORDER_NOT_CANCELABLE",
    "ORDER_IN_PROGRESS",
    "TRADING_PAUSED",
    "TRANSACTION_NOT_FOUND",
    "WALLET_NOT_FOUND",
  ],
  exampleValues: {
    "WalletTransaction.status": "failed",
    "WalletTransaction.reason": "You canceled it. Nothing changed.",
  },
} as const satisfies Operation;

export const getTransaction = {
  ...COMMON,
  ...NO_INPUT,
  method: "GET",
  path: "/v1/wallet/transactions/{transactionId}",
  access: "read",
  rate: "read",
  title: "One wallet transaction",
  summary: "Get one transaction and its status",
  description: "Reads a claim, split, merge or approval by the id that its request returned.",
  params: z.object({ transactionId: TransactionId }),
  response: WalletTransaction,
  errors: ["TRADING_PAUSED", "TRANSACTION_NOT_FOUND", "WALLET_NOT_FOUND"],
} as const satisfies Operation;
