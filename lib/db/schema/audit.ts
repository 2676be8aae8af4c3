import { index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";

const AUDIT_KINDS = [
  "account_created",
  "signed_in",
  "sign_in_failed",
  "password_refused",
  "signed_out",
  "session_ended",
  "other_sessions_ended",
  "password_changed",
  "mode_switched",
  "key_created",
  "key_rotated",
  "key_renamed",
  "key_revoked",
  "wallet_imported",
  "wallet_removed",
] as const;

/** What an event may tell besides who, what and when. No secret, and nothing that was typed wrong. */
export interface AuditDetail {
  /** Where the request came from, as far as can be trusted. */
  address?: string;
  browser?: string;
  /** Of the key, and what it was before. */
  name?: string;
  formerName?: string;
  scopes?: readonly string[];
  mode?: "paper" | "live";
  replacedBy?: string;
  endedSession?: string;
  /** The public address of a live wallet. */
  wallet?: string;
  /** A keyed hash of an email address that was tried, whether or not it is an account's. */
  account?: string;
}

/** Who did what to the access to an account. Append-only; what orders did is in order_events. */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: text("id").primaryKey(),
    /** Null when somebody tried an account that there is not. */
    userId: text("user_id"),
    kind: text("kind", { enum: AUDIT_KINDS }).notNull(),
    /** The key that it was done to. */
    keyId: text("key_id"),
    /** The browser that did it. */
    sessionId: text("session_id"),
    detail: jsonb("detail").$type<AuditDetail>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("audit_events_user").on(table.userId, table.id)],
);

/** The newest check of the books, for all processes; one of them at a time makes the next. */
export const booksChecks = pgTable("books_checks", {
  /** There is one row. */
  id: integer("id").primaryKey(),
  /** Nobody else begins a check before then. */
  leasedUntil: instant("leased_until").notNull(),
  /** When the newest finished one was; null before the first. */
  checkedAt: instant("checked_at"),
  problems: integer("problems").notNull(),
  transfers: integer("transfers").notNull(),
  accounts: integer("accounts").notNull(),
  orders: integer("orders").notNull(),
  durationMs: integer("duration_ms").notNull(),
});
