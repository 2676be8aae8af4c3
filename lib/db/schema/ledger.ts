import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
} from "drizzle-orm/pg-core";
import { instant, micro } from "@/lib/db/schema/columns";

export const ACCOUNT_KINDS = [
  "available",
  "held",
  "external",
  "house",
  "fees",
  "builder",
  "paper_builder",
  "collateral",
  "issuance",
] as const;

/** Balances, a projection of the transfers that is updated in the same transaction. */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ACCOUNT_KINDS }).notNull(),
    /** "usdc" or a token id. */
    asset: text("asset").notNull(),
    /** Null for accounts of the exchange. */
    userId: text("user_id"),
    epoch: integer("epoch"),
    balance: micro<bigint>("balance_micro").notNull(),
    /**
     * Of a user's available USDC only: the number of the account's last event, which is the account's
     * version. Every change of the account locks this row and counts it up.
     */
    version: bigint("version", { mode: "number" }).notNull().default(0),
    /**
     * Of a user's available USDC only: whether a process of a version without events changed the
     * account. A trigger sets it, see its migration; the next snapshot of the account ends it.
     */
    isBehind: boolean("is_behind").notNull().default(true),
  },
  (table) => [
    // Deposits, issued tokens and the house's trading are the counterpart of users' money.
    check(
      "ledger_accounts_not_negative",
      sql`${table.balance} >= 0 or ${table.kind} in ('external', 'house', 'issuance')`,
    ),
    index("ledger_accounts_user").on(table.userId, table.epoch),
    // The accounts that need a snapshot. A job looks for them every minute.
    index("ledger_accounts_behind")
      .on(sql`${table.id} collate "C"`)
      .where(sql`${table.isBehind} and ${table.kind} = 'available' and ${table.asset} = 'usdc'`),
  ],
);

export const TRANSFER_KINDS = [
  "deposit",
  "hold",
  "release",
  "trade",
  "fee",
  "mint",
  "merge",
  "redeem",
  "split_position",
  "merge_positions",
  "reversal",
] as const;

/** Append-only. One row moves one amount from the debited to the credited account. */
export const ledgerTransfers = pgTable(
  "ledger_transfers",
  {
    /** Deterministic, so that a repeated transfer violates the primary key instead of paying twice. */
    id: text("id").primaryKey(),
    sequence: bigserial("sequence", { mode: "bigint" }).notNull(),
    kind: text("kind", { enum: TRANSFER_KINDS }).notNull(),
    asset: text("asset").notNull(),
    debitAccount: text("debit_account").notNull(),
    creditAccount: text("credit_account").notNull(),
    amount: micro<bigint>("amount_micro").notNull(),
    /** The economic event that the rows belong to: a trade, an order or a deposit. */
    groupId: text("group_id").notNull(),
    orderId: text("order_id"),
    marketId: text("market_id"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    check("ledger_transfers_positive", sql`${table.amount} > 0`),
    check("ledger_transfers_two_accounts", sql`${table.debitAccount} <> ${table.creditAccount}`),
    index("ledger_transfers_debit").on(table.debitAccount, table.sequence),
    index("ledger_transfers_credit").on(table.creditAccount, table.sequence),
    // For rows after a sequence number. Rows are stored in this order, so a BRIN index costs little.
    index("ledger_transfers_newest").using("brin", table.sequence).with({ autosummarize: true }),
  ],
);
