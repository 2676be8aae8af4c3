import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant, micro } from "@/lib/db/schema/columns";
import { ORDER_EVENT_TYPES } from "@/lib/domain/order-events";
import { ORDER_STATUSES } from "@/lib/domain/order-status";
import type { Price, Shares, Usdc } from "@/lib/units";

/** A market that somebody traded: its description as it was, and the exchange's state of it. */
export const markets = pgTable(
  "markets",
  {
    /** The condition id. */
    id: text("id").primaryKey(),
    slug: text("slug").notNull(),
    title: text("title").notNull(),
    icon: text("icon").notNull(),
    firstToken: text("first_token").notNull(),
    secondToken: text("second_token").notNull(),
    firstOutcome: text("first_outcome").notNull(),
    secondOutcome: text("second_outcome").notNull(),
    tick: micro<Price>("tick_micro").notNull(),
    feeRate: micro<bigint>("fee_rate_micro").notNull(),
    isNegRisk: boolean("is_neg_risk").notNull(),
    opensAt: instant("opens_at").notNull(),
    closesAt: instant("closes_at").notNull(),
    resolvesAt: instant("resolves_at").notNull(),
    /**
     * Which catalogue entry made it: template id, market id inside it, instance number. Null for a
     * market of a remote venue.
     */
    templateId: text("template_id"),
    templateMarketId: text("template_market_id"),
    instance: integer("instance"),
    /** Last trade in book prices (of the first token). */
    lastPrice: micro<Price>("last_price_micro"),
    lastTradeAt: instant("last_trade_at"),
  },
  (table) => [
    uniqueIndex("markets_first_token").on(table.firstToken),
    uniqueIndex("markets_second_token").on(table.secondToken),
    index("markets_slug").on(table.slug),
  ],
);

/** What was taken from a house quote during one liquidity epoch. */
export const houseTaken = pgTable(
  "house_taken",
  {
    marketId: text("market_id").notNull(),
    epoch: bigint("epoch", { mode: "number" }).notNull(),
    side: text("side", { enum: ["bid", "ask"] }).notNull(),
    price: micro<Price>("price_micro").notNull(),
    taken: micro<Shares>("taken_micro").notNull(),
  },
  (table) => [primaryKey({ columns: [table.marketId, table.epoch, table.side, table.price] })],
);

export const orders = pgTable(
  "orders",
  {
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    epoch: integer("epoch").notNull(),
    keyId: text("key_id"),
    marketId: text("market_id")
      .notNull()
      .references(() => markets.id),
    tokenId: text("token_id").notNull(),
    outcome: integer("outcome").$type<0 | 1>().notNull(),
    action: text("action", { enum: ["BUY", "SELL"] }).notNull(),
    type: text("type", { enum: ["limit", "market"] }).notNull(),
    /** Limit, or worst acceptable price of a market order; null when that was left to us. */
    price: micro<Price>("price_micro"),
    shares: micro<Shares>("shares_micro"),
    amount: micro<Usdc>("amount_micro"),
    status: text("status", { enum: ORDER_STATUSES }).notNull(),
    filledShares: micro<Shares>("filled_shares_micro").notNull(),
    filledNotional: micro<Usdc>("filled_notional_micro").notNull(),
    fee: micro<Usdc>("fee_micro").notNull(),
    /** What is still reserved: USDC for a BUY, shares for a SELL. */
    held: micro<bigint>("held_micro").notNull(),
    bookSide: text("book_side", { enum: ["bid", "ask"] }).notNull(),
    /** The limit in book prices; orders rest by it. Null while an order cannot rest. */
    bookPrice: micro<Price>("book_price_micro"),
    sequence: bigserial("sequence", { mode: "bigint" }).notNull(),
    /** Fills in full at once, or not at all. */
    isFillOrKill: boolean("is_fill_or_kill").notNull().default(false),
    /** Is refused rather than take from the book. */
    isPostOnly: boolean("is_post_only").notNull().default(false),
    /** A resting order ends at this instant; null is good till canceled. */
    expiresAt: instant("expires_at"),
    /** A delayed order matches from this instant on. */
    matchAfter: instant("match_after"),
    /** JSON text of the caller's key, because a key may hold what Postgres text cannot. */
    idempotencyKeyJson: text("idempotency_key_json").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("orders_user_created").on(table.userId, table.createdAt, table.id),
    // The orders of each side in the order in which they trade.
    index("orders_live_queue")
      .on(
        table.marketId,
        table.bookSide,
        sql`(case when book_side = 'bid' then - book_price_micro else book_price_micro end)`,
        table.sequence,
      )
      .where(sql`${table.status} in ('open', 'delayed')`),
    // Those that a market has to look at again at an instant, whoever trades.
    index("orders_live_due")
      .on(table.marketId, sql`least(match_after, expires_at)`)
      .where(
        sql`${table.status} in ('open', 'delayed') and (match_after is not null or expires_at is not null)`,
      ),
    index("orders_live_user")
      .on(table.userId, table.createdAt, table.id)
      .where(sql`${table.status} in ('open', 'delayed')`),
    check("orders_held_not_negative", sql`${table.held} >= 0`),
    check(
      "orders_not_overfilled",
      sql`${table.shares} is null or ${table.filledShares} <= ${table.shares}`,
    ),
  ],
);

/** The biography of an order. Append-only. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: bigserial("id", { mode: "bigint" }).primaryKey(),
    orderId: text("order_id").notNull(),
    type: text("type", { enum: ORDER_EVENT_TYPES }).notNull(),
    keyId: text("key_id"),
    detail: jsonb("detail").$type<Record<string, string>>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("order_events_order").on(table.orderId, table.id)],
);

export const fills = pgTable(
  "fills",
  {
    id: text("id").primaryKey(),
    tradeId: text("trade_id").notNull(),
    orderId: text("order_id").notNull(),
    userId: text("user_id").notNull(),
    epoch: integer("epoch").notNull(),
    marketId: text("market_id").notNull(),
    tokenId: text("token_id").notNull(),
    action: text("action", { enum: ["BUY", "SELL"] }).notNull(),
    role: text("role", { enum: ["maker", "taker"] }).notNull(),
    settlement: text("settlement", { enum: ["complementary", "mint", "merge"] }).notNull(),
    price: micro<Price>("price_micro").notNull(),
    shares: micro<Shares>("shares_micro").notNull(),
    notional: micro<Usdc>("notional_micro").notNull(),
    fee: micro<Usdc>("fee_micro").notNull(),
    sequence: bigserial("sequence", { mode: "bigint" }).notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("fills_trade_order").on(table.tradeId, table.orderId),
    index("fills_market").on(table.marketId, table.sequence),
    index("fills_order").on(table.orderId, table.sequence),
    index("fills_user").on(table.userId, table.createdAt, table.id),
  ],
);

/** Holdings per user, epoch and token: the cost that the ledger's share balances do not know. */
export const positions = pgTable(
  "positions",
  {
    userId: text("user_id").notNull(),
    epoch: integer("epoch").notNull(),
    tokenId: text("token_id").notNull(),
    marketId: text("market_id").notNull(),
    shares: micro<Shares>("shares_micro").notNull(),
    cost: micro<Usdc>("cost_micro").notNull(),
    realizedPnl: micro<Usdc>("realized_pnl_micro").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.epoch, table.tokenId] }),
    check("positions_not_negative", sql`${table.shares} >= 0 and ${table.cost} >= 0`),
  ],
);

/** The claim on a key and the answer it was given, for ever. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    userId: text("user_id").notNull(),
    /** SHA-256 of the key's UTF-16 code units, hex. */
    keyHash: text("key_hash").notNull(),
    /** SHA-256 of the request's canonical fields, hex. */
    fingerprint: text("fingerprint").notNull(),
    fields: jsonb("fields").$type<Record<string, string>>().notNull(),
    orderId: text("order_id").notNull(),
    status: integer("status"),
    body: text("body"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.keyHash] })],
);
