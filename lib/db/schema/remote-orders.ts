import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";
import { fills, orders } from "@/lib/db/schema/trading";

const REMOTE_ORDER_TYPES = ["GTC", "GTD", "FOK", "FAK"] as const;
const SETTLEMENT_STATUSES = ["matched", "mined", "confirmed", "failed"] as const;

/** What stands between an order and the remote venue it was signed for: written before it is sent. */
export const remoteOrders = pgTable(
  "remote_orders",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.id),
    userId: text("user_id").notNull(),
    /** The hash of the signed order, which is the venue's id for it. */
    venueOrderId: text("venue_order_id").notNull(),
    /** The exact bytes that are posted, now and at every repetition. */
    body: text("body").notNull(),
    orderType: text("order_type", { enum: REMOTE_ORDER_TYPES }).notNull(),
    /** The claim whose answer this order decides. */
    keyHash: text("key_hash").notNull(),
    /** Whether a post may have arrived without our knowing. A later refusal then proves nothing. */
    isAmbiguous: boolean("is_ambiguous").notNull().default(false),
    /** Until then one request owns the right to post; afterwards the fate is unknown. */
    postingUntil: instant("posting_until").notNull(),
    /** How many looks at the venue did not find it. */
    unseenCount: integer("unseen_count").notNull().default(0),
    /** When the venue first said, since it was last seen, that it is not open: over, somehow. */
    notOpenAt: instant("not_open_at"),
    /** Asked to be canceled, by which key; kept until the venue has said what became of it. */
    cancelRequestedAt: instant("cancel_requested_at"),
    cancelKeyId: text("cancel_key_id"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("remote_orders_venue_order").on(table.venueOrderId),
    index("remote_orders_user").on(table.userId, table.createdAt),
  ],
);

/** How far a remote fill has come on the chain. A failed one was reversed in the ledger. */
export const fillSettlements = pgTable(
  "fill_settlements",
  {
    fillId: text("fill_id")
      .primaryKey()
      .references(() => fills.id),
    tradeId: text("trade_id").notNull(),
    userId: text("user_id").notNull(),
    status: text("status", { enum: SETTLEMENT_STATUSES }).notNull(),
    transactionHash: text("transaction_hash"),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("fill_settlements_open")
      .on(table.userId)
      .where(sql`${table.status} in ('matched', 'mined')`),
    index("fill_settlements_trade").on(table.tradeId),
  ],
);

/** When each account was last compared with the venue, and by whom it is being compared now. */
export const reconciliations = pgTable("reconciliations", {
  userId: text("user_id").primaryKey(),
  /** Nobody else compares this account before then. */
  leasedUntil: instant("leased_until").notNull(),
  /** Trades up to here are known. */
  tradesUntil: instant("trades_until").notNull(),
  succeededAt: instant("succeeded_at"),
  failures: integer("failures").notNull().default(0),
});
