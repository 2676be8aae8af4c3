import { index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";
import { users } from "@/lib/db/schema/accounts";

/** A signed-in browser. The cookie names the row; the row decides whether it still counts. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    userAgent: text("user_agent").notNull(),
    address: text("address").notNull(),
    /** Which of the user's accounts the browser looks at. */
    mode: text("mode", { enum: ["paper", "live"] })
      .notNull()
      .default("paper"),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [index("sessions_user").on(table.userId, table.lastSeenAt)],
);

/** What a user chose on the settings page and the service must know; defaults are in the schema. */
export const userSettings = pgTable("user_settings", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  trading: jsonb("trading").$type<Record<string, unknown>>().notNull(),
});

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

/** The account's calls to the interface, kept for its owner to look at. Not a record of truth. */
export const apiRequests = pgTable(
  "api_requests",
  {
    /** The request id of the answer's header. */
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    keyId: text("key_id").notNull(),
    method: text("method").notNull(),
    path: text("path").notNull(),
    /** Null when the answer was dropped on purpose by a rehearsal. */
    status: integer("status"),
    errorCode: text("error_code"),
    durationMs: integer("duration_ms").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("api_requests_user").on(table.userId, table.createdAt, table.id)],
);
