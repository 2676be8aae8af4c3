import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant, micro } from "@/lib/db/schema/columns";
import { fills, orders } from "@/lib/db/schema/trading";
import type { Shares, Usdc } from "@/lib/units";

const REMOTE_ORDER_TYPES = ["GTC", "GTD", "FOK", "FAK"] as const;
const SETTLEMENT_STATUSES = ["matched", "mined", "confirmed", "failed"] as const;

/**
 * The condition of the index of orders that their owner approved: no request waits for their response.
 * Word for word, so that queries with it use the index.
 */
export const IS_APPROVED = sql`key_hash is null and body is not null`;

/** The submission of an order to a remote venue. Written before the order is sent. */
export const remoteOrders = pgTable(
  "remote_orders",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.id),
    userId: text("user_id").notNull(),
    /** The hash of the signed order, which is the venue's id for it. */
    venueOrderId: text("venue_order_id").notNull(),
    /** The exact bytes that are posted, also in retries; null for an external order. */
    body: text("body"),
    orderType: text("order_type", { enum: REMOTE_ORDER_TYPES }).notNull(),
    /**
     * The idempotency claim whose response depends on this order; null for an external order, and for one
     * that its owner approved.
     */
    keyHash: text("key_hash"),
    /** The market's fee rate when the order was signed; null for older orders, which did not store it. */
    feeRate: micro<bigint>("fee_rate_micro"),
    /** The builder code in the signed order; null without one, and for an external order. */
    builderCode: text("builder_code"),
    /** The fees of the builder code when the order was signed, in hundredths of a percent. */
    builderTakerBps: integer("builder_taker_bps"),
    builderMakerBps: integer("builder_maker_bps"),
    /** Matched shares in the last order report of the venue; null before the first. */
    venueMatched: micro<Shares>("venue_matched_micro"),
    /** Whether an earlier post may have arrived. Then a later rejection proves nothing. */
    isAmbiguous: boolean("is_ambiguous").notNull().default(false),
    /** The posting lease: one request may post until then. Afterwards the outcome is unknown. */
    postingUntil: instant("posting_until").notNull(),
    /** The number of venue queries that did not find the order. */
    unseenCount: integer("unseen_count").notNull().default(0),
    /** When the venue first reported, since the order was last seen, that it is not open. */
    notOpenAt: instant("not_open_at"),
    /** The pending cancel request and its key, until the venue reports the outcome. */
    cancelRequestedAt: instant("cancel_requested_at"),
    cancelKeyId: text("cancel_key_id"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("remote_orders_venue_order").on(table.venueOrderId),
    index("remote_orders_user").on(table.userId, table.createdAt),
    index("remote_orders_approved").on(table.createdAt).where(IS_APPROVED),
  ],
);

/** The settlement of a remote fill on the chain. A failed one was reversed in the ledger. */
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
    /** The sum over the trade's makers, without the fee; null until the venue listed them. */
    venueNotional: micro<Usdc>("venue_notional_micro"),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("fill_settlements_open")
      .on(table.userId)
      .where(sql`${table.status} in ('matched', 'mined')`),
    index("fill_settlements_trade").on(table.tradeId),
  ],
);

/** The reconciliation of each account with the venue, and its lease. */
export const reconciliations = pgTable("reconciliations", {
  userId: text("user_id").primaryKey(),
  /** No other process reconciles this account before then. */
  leasedUntil: instant("leased_until").notNull(),
  /** Trades of known orders are recorded up to here. */
  tradesUntil: instant("trades_until").notNull(),
  /** Orders placed elsewhere are adopted up to here; null before the first reconciliation of them. */
  externalUntil: instant("external_until"),
  succeededAt: instant("succeeded_at"),
  failures: integer("failures").notNull().default(0),
});
