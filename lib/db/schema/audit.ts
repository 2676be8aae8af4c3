import {
  bigint,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { instant, micro } from "@/lib/db/schema/columns";
import type { StoredEventData } from "@/lib/db/schema/account-events";
import type { CheckedDay } from "@/lib/domain/checked-days";
import type { LimitScope } from "@/lib/domain/limits";
import type { Shares, Usdc } from "@/lib/units";

const AUDIT_KINDS = [
  "account_created",
  "signed_in",
  "sign_in_failed",
  "password_refused",
  "signed_out",
  "session_ended",
  "other_sessions_ended",
  "password_changed",
  "reset_link_created",
  "password_reset",
  "mode_switched",
  "key_created",
  "key_rotated",
  "key_renamed",
  "key_revoked",
  "limits_changed",
  "trading_frozen",
  "trading_thawed",
  "order_approved",
  "wallet_imported",
  "wallet_removed",
  "transaction_settled",
  "push_turned_on",
  "push_turned_off",
  "factor_asked",
  "factor_refused",
  "passkey_added",
  "passkey_removed",
  "totp_added",
  "totp_removed",
  "recovery_codes_created",
  "recovery_code_used",
  "factors_removed",
] as const;

/** Details of an event. No secrets, and no mistyped input, which can be a password. */
export interface AuditDetail {
  /** The address of the client, as far as it can be trusted. */
  address?: string;
  browser?: string;
  /** The key's name, and its former name. */
  name?: string;
  formerName?: string;
  scopes?: readonly string[];
  mode?: "paper" | "live";
  replacedBy?: string;
  /** The subject of limits or a freeze, and the reason of the freeze or of the settlement. */
  scope?: LimitScope;
  reason?: string;
  /** Limits before and after their change, as the interface writes them. */
  limits?: { former: Readonly<Record<string, unknown>>; now: Readonly<Record<string, unknown>> };
  /** The approved order. */
  order?: string;
  /** The wallet transaction that the operator settled. */
  transaction?: string;
  endedSession?: string;
  /** The public address of a live wallet. */
  wallet?: string;
  /** A keyed hash of the email address of a sign-in attempt, with or without an account. */
  account?: string;
}

/** Changes of the access to an account. Append-only. Events of orders are in order_events. */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: text("id").primaryKey(),
    /** Null for an attempt on an account that does not exist. */
    userId: text("user_id"),
    kind: text("kind", { enum: AUDIT_KINDS }).notNull(),
    /** The key that the event is about. */
    keyId: text("key_id"),
    /** The session that caused the event. */
    sessionId: text("session_id"),
    detail: jsonb("detail").$type<AuditDetail>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("audit_events_user").on(table.userId, table.id)],
);

/** The newest check of the books. One process at a time runs the next. */
export const booksChecks = pgTable("books_checks", {
  /** There is one row. */
  id: integer("id").primaryKey(),
  /** No other process starts a check before then. */
  leasedUntil: instant("leased_until").notNull(),
  /** When the newest check finished; null before the first. */
  checkedAt: instant("checked_at"),
  problems: integer("problems").notNull(),
  transfers: integer("transfers").notNull(),
  accounts: integer("accounts").notNull(),
  orders: integer("orders").notNull(),
  durationMs: integer("duration_ms").notNull(),
  /** The checks of the last days. */
  days: json("days").$type<readonly CheckedDay[]>().notNull().default([]),
});

/**
 * The last transfer that is included in the stored sums. A periodic check starts here instead of at
 * the first transfer. One row; the sums are in the two tables below.
 */
export const booksCheckpoint = pgTable("books_checkpoint", {
  /** There is one row. */
  id: integer("id").primaryKey(),
  transferSequence: bigint("transfer_sequence", { mode: "bigint" }).notNull(),
  fillSequence: bigint("fill_sequence", { mode: "bigint" }).notNull(),
  eventId: bigint("event_id", { mode: "bigint" }).notNull(),
  /** The number of transfers in the sums. */
  transfers: bigint("transfers", { mode: "bigint" }).notNull(),
});

/** The sum of the transfers up to the checkpoint, per account. */
export const booksCheckpointBalances = pgTable("books_checkpoint_balances", {
  accountId: text("account_id").primaryKey(),
  balance: micro<bigint>("balance_micro").notNull(),
});

/** Each paper holding after the fills and payouts up to the checkpoint. */
export const booksCheckpointHoldings = pgTable(
  "books_checkpoint_holdings",
  {
    userId: text("user_id").notNull(),
    epoch: integer("epoch").notNull(),
    tokenId: text("token_id").notNull(),
    shares: micro<Shares>("shares_micro").notNull(),
    cost: micro<Usdc>("cost_micro").notNull(),
    realizedPnl: micro<Usdc>("realized_pnl_micro").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.epoch, table.tokenId] })],
);

/**
 * The events of each account that a periodic check has compared with the books. The next check folds
 * newer events only.
 */
export const accountLogChecks = pgTable(
  "account_log_checks",
  {
    userId: text("user_id").notNull(),
    mode: text("mode", { enum: ["paper", "live"] }).notNull(),
    /** The number of the last checked event. */
    seq: bigint("seq", { mode: "number" }).notNull(),
    epoch: integer("epoch").notNull(),
    /** The account after that event. */
    state: json("state").$type<StoredEventData["account.snapshot"]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.mode] })],
);
