import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  json,
  pgTable,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "@/lib/db/schema/accounts";
import { instant } from "@/lib/db/schema/columns";
import { ACCOUNT_EVENT_TYPES } from "@/lib/domain/account-events";

/** An address that receives the events of an account. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    mode: text("mode", { enum: ["paper", "live"] }).notNull(),
    url: text("url").notNull(),
    /** The types of events that it receives; null for all. */
    types: text("types", { enum: ACCOUNT_EVENT_TYPES }).array(),
    /** Sends an event only after the one before was acknowledged. */
    isOrdered: boolean("is_ordered").notNull().default(true),
    /** Pending until it acknowledges a test message. */
    status: text("status", { enum: ["pending", "active", "disabled"] }).notNull(),
    /** The signing secret under envelope encryption, see lib/custody. */
    sealedSecret: text("sealed_secret").notNull(),
    /** The secret before a rotation. It signs too until `previousSecretEndsAt`. */
    sealedPreviousSecret: text("sealed_previous_secret"),
    previousSecretEndsAt: instant("previous_secret_ends_at"),
    /** Every event up to this number has its delivery, or has a type that is not wanted. */
    enqueuedSeq: bigint("enqueued_seq", { mode: "number" }).notNull(),
    /** The last event that has a delivery; the start if there is none. */
    previousSeq: bigint("previous_seq", { mode: "number" }).notNull(),
    /** The first failure since the last success. */
    failingSince: instant("failing_since"),
    /** Why the service has disabled it, as a sentence for users. */
    disabledReason: text("disabled_reason"),
    /** How it responded to the last test message; null before the first one to its address. */
    lastTest: json("last_test").$type<TestOutcome>(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("webhook_endpoints_account").on(table.userId, table.mode),
    index("webhook_endpoints_active")
      .on(table.id)
      .where(sql`${table.status} = 'active'`),
  ],
);

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  /** ISO. */
  at: string;
  durationMs: number;
  /** Null if there was no response. */
  statusCode: number | null;
  /** Why there was no response. */
  error: string | null;
  /** The start of the response's body. */
  answer: string | null;
  /** The headers as sent, with the signature. */
  headers: Readonly<Record<string, string>>;
}

export type TestOutcome = Pick<DeliveryAttempt, "at" | "durationMs" | "statusCode" | "error">;

/** An event on its way to an endpoint. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** The `webhook-id` of every attempt. */
    id: text("id").primaryKey(),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /**
     * The order of deliveries. Rows are inserted under the lock of the endpoint, so it is the order of
     * the commits. A replay gives an event a second delivery, with a later position.
     */
    position: bigserial("position", { mode: "number" }).notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    previousSeq: bigint("previous_seq", { mode: "number" }).notNull(),
    type: text("type", { enum: ACCOUNT_EVENT_TYPES }).notNull(),
    status: text("status", { enum: ["pending", "delivered", "failed"] }).notNull(),
    attemptCount: integer("attempt_count").notNull().default(0),
    /** The newest attempts, oldest first. */
    attempts: json("attempts").$type<readonly DeliveryAttempt[]>().notNull(),
    nextAttemptAt: instant("next_attempt_at").notNull(),
    /** Until when a process is sending it. */
    leasedUntil: instant("leased_until"),
    deliveredAt: instant("delivered_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("webhook_deliveries_endpoint").on(table.endpointId, table.position),
    index("webhook_deliveries_pending")
      .on(table.endpointId, table.position)
      .where(sql`${table.status} = 'pending'`),
  ],
);
