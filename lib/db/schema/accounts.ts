import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  numeric,
  pgTable,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";
import { SESSION_SCOPES } from "@/lib/domain/session-key";

export const users = pgTable(
  "users",
  {
    id: text("id").primaryKey(),
    /** Lower case. */
    email: text("email").notNull(),
    passwordHash: text("password_hash").notNull(),
    status: text("status", { enum: ["active", "disabled"] }).notNull(),
    /** Counts up with every reset of the paper account; ledger accounts belong to one epoch. */
    epoch: integer("epoch").notNull(),
    /** Whether limits or a freeze may apply: orders then lock the row exclusively. */
    isLimited: boolean("is_limited").notNull().default(false),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("users_email").on(table.email)],
);

export const wallets = pgTable(
  "wallets",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id),
    address: text("address").notNull(),
    funderAddress: text("funder_address").notNull(),
    /** The signing key under envelope encryption, see lib/custody. */
    sealedKey: text("sealed_key").notNull(),
    /** Base units that the exchange may spend; null while unknown. */
    allowance: numeric("allowance", { precision: 78, scale: 0, mode: "bigint" }),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("wallets_address").on(table.address)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    /** The public part of the key. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    mode: text("mode", { enum: ["paper", "live"] }).notNull(),
    /** HMAC-SHA-256 of the whole key, hex. */
    secretHash: text("secret_hash").notNull(),
    scopes: text("scopes", { enum: ["read", "trade", "cancel", "webhooks"] })
      .array()
      .notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
    lastUsedAt: instant("last_used_at"),
    /** The key that replaced this one in a rotation. */
    replacedBy: text("replaced_by"),
    /** The budget that its spending counts for: the id of the first key of its rotations; null for its own id. */
    budgetId: text("budget_id"),
    /** The form that created it, so that the same form creates no second key; null for others. */
    formId: text("form_id"),
  },
  (table) => [
    index("api_keys_user").on(table.userId),
    uniqueIndex("api_keys_form").on(table.userId, table.formId),
  ],
);

/** A Polymarket wallet that a user trades with in live mode. Removing it deletes the row. */
export const liveWallets = pgTable(
  "live_wallets",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id),
    /** The address of the key that signs: the owner's, or that of a session key. */
    address: text("address").notNull(),
    /** The wallet that holds the money. */
    funderAddress: text("funder_address").notNull(),
    /** How the funder authorizes orders, see lib/polymarket/protocol/order-hash. */
    signatureType: integer("signature_type").$type<0 | 1 | 2 | 3>().notNull(),
    sealedKey: text("sealed_key").notNull(),
    /** The venue's API credentials, sealed like the key; null until they are derived. */
    sealedCredentials: text("sealed_credentials"),
    createdAt: instant("created_at").notNull(),
    /** When the session key expires; null if the key is the owner's. */
    sessionExpiresAt: instant("session_expires_at"),
    /** The scopes of the session key; null if the key is the owner's. */
    sessionScopes: text("session_scopes", { enum: SESSION_SCOPES }).array(),
    /** The last notice about the end of the session key; null before the first. */
    sessionNotice: text("session_notice", { enum: ["expiring", "expired"] }),
  },
  (table) => [
    uniqueIndex("live_wallets_address").on(table.address),
    index("live_wallets_session_end").on(table.sessionExpiresAt),
    check(
      "live_wallets_session",
      sql`(${table.sessionExpiresAt} is null) = (${table.sessionScopes} is null)`,
    ),
  ],
);
