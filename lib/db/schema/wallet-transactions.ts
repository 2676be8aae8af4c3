import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "@/lib/db/schema/accounts";
import { instant, micro } from "@/lib/db/schema/columns";
import {
  IN_FLIGHT_STATUSES,
  OPEN_STATUSES,
  WAIT_REASONS,
  WALLET_TRANSACTION_KINDS,
  WALLET_TRANSACTION_STATUSES,
} from "@/lib/domain/wallet-transaction";
import type { Shares } from "@/lib/units";

/** What a transaction moves of one token. Amounts are micro-units as text. */
export interface StoredClaim {
  tokenId: string;
  shares: string;
  /** What the shares pay. */
  payout: string;
}

const list = (statuses: readonly string[]) =>
  sql.raw(statuses.map((status) => `'${status}'`).join(", "));

/** The conditions of the indexes, word for word, so that queries with them use the indexes. */
export const IS_IN_FLIGHT = sql`status in (${list(IN_FLIGHT_STATUSES)})`;
export const IS_OPEN = sql`status in (${list(OPEN_STATUSES)})`;

/**
 * Claims, splits, merges and approvals of live wallets, and splits and merges of paper accounts. A live
 * one is recorded before it is signed, and its signed bytes are stored before they are sent.
 */
export const walletTransactions = pgTable(
  "wallet_transactions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The epoch of the account; 0 for a live one. */
    epoch: integer("epoch").notNull(),
    /** The wallet that executes it. */
    wallet: text("wallet").notNull(),
    kind: text("kind", { enum: WALLET_TRANSACTION_KINDS }).notNull(),
    marketId: text("market_id"),
    /** The pairs of a split or merge; null for a claim, whose tokens are in `claims`. */
    shares: micro<Shares>("shares_micro"),
    /** The positions that a claim redeems, read when it was signed last. */
    claims: jsonb("claims").$type<readonly StoredClaim[]>(),
    status: text("status", { enum: WALLET_TRANSACTION_STATUSES }).notNull(),
    /** Why it does not go on now; null if it does. */
    waitReason: text("wait_reason", { enum: WAIT_REASONS }),
    /** Why it failed, as a sentence for users. */
    failure: text("failure"),
    /** The number of signed forms so far. The last one can still happen while it is in flight. */
    attempts: integer("attempts").notNull().default(0),
    /** When it goes on, by the database's clock. */
    dueAt: instant("due_at").notNull(),
    /** No other process works on it before then. */
    leasedUntil: instant("leased_until").notNull(),
    /** The service made it, because the user's claims are automatic. */
    isAutomatic: boolean("is_automatic").notNull().default(false),
    /** The idempotency key of a split or merge, hashed, and the hash of the request's fields. */
    keyHash: text("key_hash"),
    fingerprint: text("fingerprint"),
    /** The request and the API key that made it. */
    requestId: text("request_id"),
    keyId: text("key_id"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("wallet_transactions_user").on(table.userId, table.epoch, table.createdAt),
    // A user has one transaction in flight at a time: the wallet's nonce counts up by one. Not per wallet,
    // because an invented session key for a stranger's wallet would block its owner.
    uniqueIndex("wallet_transactions_in_flight").on(table.userId).where(IS_IN_FLIGHT),
    uniqueIndex("wallet_transactions_open_claim")
      .on(table.userId, table.marketId)
      .where(sql`kind = 'redeem' and ${IS_OPEN}`),
    uniqueIndex("wallet_transactions_open_approval")
      .on(table.userId)
      .where(sql`kind = 'approve' and ${IS_OPEN}`),
    uniqueIndex("wallet_transactions_key").on(table.userId, table.keyHash),
    index("wallet_transactions_due").on(table.dueAt).where(IS_OPEN),
  ],
);

/** The signed forms of wallet transactions. Only the last one of a transaction can still happen. */
export const signedTransactions = pgTable(
  "signed_transactions",
  {
    transactionId: text("transaction_id")
      .notNull()
      .references(() => walletTransactions.id),
    attempt: integer("attempt").notNull(),
    wallet: text("wallet").notNull(),
    /** The exact bytes that are sent, also in repetitions. */
    body: text("body").notNull(),
    nonce: numeric("nonce", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
    /** The wallet refuses it afterwards; null if its kind of wallet has no deadlines. */
    deadline: instant("deadline"),
    /** Whether the relayer may have accepted it. Then a later refusal proves nothing. */
    isAmbiguous: boolean("is_ambiguous").notNull().default(false),
    /** The relayer's id; null until it is known. */
    relayerId: text("relayer_id"),
    transactionHash: text("transaction_hash"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionId, table.attempt] }),
    index("signed_transactions_wallet").on(table.wallet, table.nonce),
    uniqueIndex("signed_transactions_relayer").on(table.relayerId),
  ],
);

/** The users whose winning positions are claimed automatically. */
export const automaticClaims = pgTable("automatic_claims", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  /** When a process last looked for positions, by the database's clock. */
  checkedAt: instant("checked_at").notNull(),
});
