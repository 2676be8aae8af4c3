import { z } from "zod";
import { PUBLIC_STATUSES, WALLET_TRANSACTION_KINDS } from "@/lib/domain/wallet-transaction";
import { Redemption } from "@/lib/schemas/account";
import { ExactSharesInput, Instant, SharesNumber } from "@/lib/schemas/units";

const TransactionStatus = z
  .enum(PUBLIC_STATUSES)
  .describe(
    "waiting: recorded, and nothing was accepted yet. submitted: accepted, not final yet. unknown: whether it was accepted is not known. confirmed: final. failed: it did not happen.",
  );

/** What an event says of a wallet transaction. */
export const EventTransaction = z
  .strictObject({
    id: z.string().describe("The transaction's id."),
    kind: z.enum(WALLET_TRANSACTION_KINDS).describe("What it does."),
    status: TransactionStatus,
    marketId: z.string().nullable().describe("The market's id; null for approvals."),
    shares: SharesNumber.nullable().describe(
      "Shares of each outcome that a split makes or a merge takes; null otherwise.",
    ),
    reason: z.string().nullable().describe("Why it waits or failed, for users; null otherwise."),
    transactionHash: z
      .string()
      .nullable()
      .describe("The transaction on the chain; null until it is known, and on paper."),
  })
  .meta({ id: "EventTransaction" });

/** A claim, split, merge or approval of an account's wallet. */
export const WalletTransaction = EventTransaction.extend({
  redemptions: z
    .array(Redemption)
    .describe("The positions that a claim redeems, as read when it was signed."),
  createdAt: Instant.describe("When it was requested."),
  updatedAt: Instant.describe("When it last changed."),
}).meta({ id: "WalletTransaction" });

export const WalletTransactionList = z
  .strictObject({ transactions: z.array(WalletTransaction).describe("Newest first.") })
  .meta({ id: "WalletTransactionList" });

/** The response to a claim: the position's part, and how far the claim is. */
export const ClaimResult = Redemption.extend({
  status: TransactionStatus,
  transactionId: z
    .string()
    .nullable()
    .describe(
      "The wallet transaction of a live claim, which redeems the whole market; null on paper.",
    ),
}).meta({ id: "ClaimResult" });

export const SplitOrMergeBody = z
  .strictObject({
    marketId: z.string().min(1).max(256).describe("The market's condition id or slug."),
    shares: ExactSharesInput.describe(
      "How many shares of each outcome. A split costs as many USDC, and a merge pays as many.",
    ),
    idempotencyKey: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe(
        "Repeat a request with the same key to get the same transaction. Without a key, a repeated request is another split or merge.",
      ),
  })
  .meta({ id: "SplitOrMergeBody" });
export type SplitOrMergeBody = z.output<typeof SplitOrMergeBody>;

const WalletApprovalItem = z
  .strictObject({
    asset: z.enum(["usdc", "shares_v1", "shares_v2"]).describe("What the contract may move."),
    spender: z.string().describe("The contract's name, which stays the same."),
    spenderAddress: z.string().describe("The contract's address."),
    purpose: z.string().describe("What it is for."),
    isSet: z.boolean().describe("Whether the wallet has approved it."),
    allowanceBaseUnit: z
      .string()
      .nullable()
      .describe(
        "How much it may move, in millionths, as text; null for shares, which have no amount.",
      ),
  })
  .meta({ id: "WalletApproval" });

export const WalletApprovals = z
  .strictObject({
    address: z.string().describe("The wallet that holds the money."),
    isComplete: z.boolean().describe("Whether no approval is missing."),
    approvals: z.array(WalletApprovalItem).describe("Every approval that trading needs."),
    transaction: WalletTransaction.nullable().describe(
      "The transaction that sets the missing ones; null if none is in progress.",
    ),
  })
  .meta({ id: "WalletApprovals" });
