import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "@/lib/db/schema/accounts";
import { instant } from "@/lib/db/schema/columns";
import { sessions } from "@/lib/db/schema/dashboard";
import { ALL_KINDS } from "@/lib/domain/notifications";

/** A browser that gets an account's notifications while no page of the service is open. */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    mode: text("mode", { enum: ["paper", "live"] }).notNull(),
    /** The session that turned it on. The subscription ends with it. */
    sessionId: text("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The address at the browser's push service. One browser can show both accounts of a user. */
    endpoint: text("endpoint").notNull(),
    /** The browser's public key, which messages are encrypted for. */
    publicKey: text("public_key").notNull(),
    /** The browser's authentication secret under envelope encryption, see lib/custody. */
    sealedAuth: text("sealed_auth").notNull(),
    /** The kinds of notifications that the browser gets. */
    kinds: text("kinds", { enum: ALL_KINDS }).array().notNull(),
    /** Whether messages name shares and money. */
    showsAmounts: boolean("shows_amounts").notNull(),
    /** Every event up to this number was sent, or is of a kind that the browser does not get. */
    sentSeq: bigint("sent_seq", { mode: "number" }).notNull(),
    lastSentAt: instant("last_sent_at"),
    /** Attempts that failed since the last success, and the first of them. */
    failureCount: integer("failure_count").notNull().default(0),
    failingSince: instant("failing_since"),
    nextAttemptAt: instant("next_attempt_at").notNull(),
    /** Until when a process is sending to it. */
    leasedUntil: instant("leased_until"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("push_subscriptions_endpoint").on(table.endpoint, table.mode),
    index("push_subscriptions_user").on(table.userId),
    index("push_subscriptions_session").on(table.sessionId),
  ],
);
