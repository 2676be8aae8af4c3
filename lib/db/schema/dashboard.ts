import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";
import { users } from "@/lib/db/schema/accounts";
import { ALL_KINDS } from "@/lib/domain/notifications";

/** A signed-in browser. The cookie refers to the row; the row decides whether it is valid. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    userAgent: text("user_agent").notNull(),
    address: text("address").notNull(),
    /** Which of the user's accounts the browser shows. */
    mode: text("mode", { enum: ["paper", "live"] })
      .notNull()
      .default("paper"),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    endedAt: instant("ended_at"),
    /** When the second factor was last proven in this session; null if never. */
    factorAt: instant("factor_at"),
  },
  (table) => [index("sessions_user").on(table.userId, table.lastSeenAt)],
);

/** A link to set a new password once. Only the hash of its token is stored. */
export const passwordResets = pgTable("password_resets", {
  tokenHash: text("token_hash").primaryKey(),
  userId: text("user_id").notNull(),
  createdAt: instant("created_at").notNull(),
  expiresAt: instant("expires_at").notNull(),
  /** When it was used or replaced by a newer link. */
  endedAt: instant("ended_at"),
});

/** Settings of a user that the server needs. The schema has the defaults. */
export const userSettings = pgTable("user_settings", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  trading: jsonb("trading").$type<Record<string, unknown>>().notNull(),
  /** The kinds of notifications that the dashboard doesn't show. A new kind is shown. */
  hiddenKinds: text("hidden_kinds", { enum: ALL_KINDS }).array().notNull().default([]),
});

/** Up to which event of an account its owner has read the notifications. */
export const notificationMarks = pgTable(
  "notification_marks",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    mode: text("mode", { enum: ["paper", "live"] }).notNull(),
    readSeq: bigint("read_seq", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.mode] })],
);

export const watchlist = pgTable(
  "watchlist",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    marketId: text("market_id").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.marketId] })],
);

/** The request log of an account, for its owner. Not authoritative. */
export const apiRequests = pgTable(
  "api_requests",
  {
    /** The request id in the response's header. */
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    keyId: text("key_id").notNull(),
    method: text("method").notNull(),
    path: text("path").notNull(),
    /** Null if a simulated fault dropped the response. */
    status: integer("status"),
    errorCode: text("error_code"),
    /** The message of a refusal, without secrets; null for other responses. */
    message: text("message"),
    durationMs: integer("duration_ms").notNull(),
    /** The order that the request placed, or whose stored response it received. */
    orderId: text("order_id"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("api_requests_user").on(table.userId, table.createdAt, table.id)],
);
