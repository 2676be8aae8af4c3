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
import { ORDER_EVENT_TYPES, ORDER_ORIGINS, ORDER_STATUSES } from "@/lib/domain/order-status";
import { SIMULATED_SETTLEMENTS } from "@/lib/domain/simulated-settlement";
import type { Price, Shares, Usdc } from "@/lib/units";
import { PROTOCOLS } from "@/lib/domain/protocol";

/** A market that was traded: its description at the first trade, and the exchange's state of it. */
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
    protocol: text("protocol", { enum: PROTOCOLS }).notNull().default("v1"),
    opensAt: instant("opens_at").notNull(),
    closesAt: instant("closes_at").notNull(),
    resolvesAt: instant("resolves_at").notNull(),
    /**
     * The catalogue entry behind it: template id, market id in the template, instance number. Null for
     * a market of a remote venue.
     */
    templateId: text("template_id"),
    templateMarketId: text("template_market_id"),
    instance: integer("instance"),
    /** Last trade in book prices (of the first token). */
    lastPrice: micro<Price>("last_price_micro"),
    lastTradeAt: instant("last_trade_at"),
    /** When the holders were told that the market is resolved; null before. */
    announcedAt: instant("announced_at"),
  },
  (table) => [
    uniqueIndex("markets_first_token").on(table.firstToken),
    uniqueIndex("markets_second_token").on(table.secondToken),
    index("markets_slug").on(table.slug),
    index("markets_unannounced")
      .on(table.resolvesAt)
      .where(sql`${table.announcedAt} is null`),
  ],
);

/**
 * Shares of users' open paper orders per price, so that a book can be read without its orders. A
 * trigger on `orders` maintains it, see its migration.
 */
export const bookLevels = pgTable(
  "book_levels",
  {
    marketId: text("market_id").notNull(),
    side: text("side", { enum: ["bid", "ask"] }).notNull(),
    price: micro<Price>("price_micro").notNull(),
    shares: micro<Shares>("shares_micro").notNull(),
  },
  (table) => [primaryKey({ columns: [table.marketId, table.side, table.price] })],
);

/**
 * What traded on the paper exchange per market and hour: what the takers paid or received, without
 * fees, each trade once. A trigger on `fills` maintains it, see its migration.
 */
export const marketVolumes = pgTable(
  "market_volumes",
  {
    marketId: text("market_id").notNull(),
    /** The start of the hour. */
    hour: instant("hour").notNull(),
    volume: micro<Usdc>("volume_micro").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.marketId, table.hour] }),
    // The markets that traded in the last day.
    index("market_volumes_hour").on(table.hour),
  ],
);

/** Shares taken from a house quote during one liquidity epoch. */
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
    /** How the exchange treats it: a limit order may rest, a market order does not. */
    type: text("type", { enum: ["limit", "market"] }).notNull(),
    /** The type that the caller sent, if it differs: a limit order with FOK or FAK cannot rest. */
    requestedType: text("requested_type", { enum: ["limit", "market"] }),
    /** Limit price, or worst price of a market order; null if the caller did not set one. */
    price: micro<Price>("price_micro"),
    shares: micro<Shares>("shares_micro"),
    amount: micro<Usdc>("amount_micro"),
    status: text("status", { enum: ORDER_STATUSES }).notNull(),
    filledShares: micro<Shares>("filled_shares_micro").notNull(),
    filledNotional: micro<Usdc>("filled_notional_micro").notNull(),
    fee: micro<Usdc>("fee_micro").notNull(),
    /** The amount reserved: USDC for a BUY, shares for a SELL. */
    held: micro<bigint>("held_micro").notNull(),
    bookSide: text("book_side", { enum: ["bid", "ask"] }).notNull(),
    /** The limit in book prices; null if the order cannot rest. */
    bookPrice: micro<Price>("book_price_micro"),
    sequence: bigserial("sequence", { mode: "bigint" }).notNull(),
    /** Fill or kill. */
    isFillOrKill: boolean("is_fill_or_kill").notNull().default(false),
    /** Rejected if it would cross the book. */
    isPostOnly: boolean("is_post_only").notNull().default(false),
    /** When a resting order expires; null for good till canceled. */
    expiresAt: instant("expires_at"),
    /** A delayed order matches from this instant on. */
    matchAfter: instant("match_after"),
    /**
     * The builder code of a sandbox wallet's order; null without one. A live order's is in
     * `remote_orders`.
     */
    builderCode: text("builder_code"),
    /** The fees of the builder code when the order was placed, in hundredths of a percent. */
    builderTakerBps: integer("builder_taker_bps"),
    builderMakerBps: integer("builder_maker_bps"),
    /** `ante`: placed by this service. `external`: placed elsewhere with the same wallet. */
    origin: text("origin", { enum: ORDER_ORIGINS }).notNull().default("ante"),
    /**
     * The caller's key as JSON text, because a key may contain NUL, which Postgres text cannot. The
     * text `null` for an external order.
     */
    idempotencyKeyJson: text("idempotency_key_json").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("orders_user_created").on(table.userId, table.createdAt, table.id),
    // The orders of each side in price-time priority.
    index("orders_live_queue")
      .on(
        table.marketId,
        table.bookSide,
        sql`(case when book_side = 'bid' then - book_price_micro else book_price_micro end)`,
        table.sequence,
      )
      .where(sql`${table.status} in ('open', 'delayed')`),
    // Orders that become due at an instant: delayed ones match, dated ones expire.
    index("orders_live_due")
      .on(table.marketId, sql`least(match_after, expires_at)`)
      .where(
        sql`${table.status} in ('open', 'delayed') and (match_after is not null or expires_at is not null)`,
      ),
    // For the limit on a user's live orders in one market.
    index("orders_live_user_market")
      .on(table.marketId, table.userId)
      .where(sql`${table.status} in ('open', 'delayed')`),
    index("orders_live_user")
      .on(table.userId, table.createdAt, table.id)
      .where(sql`${table.status} in ('open', 'delayed')`),
    // Orders that wait for their owner's approval.
    index("orders_waiting")
      .on(table.userId, table.createdAt)
      .where(sql`${table.status} = 'pending_approval'`),
    check("orders_held_not_negative", sql`${table.held} >= 0`),
    check(
      "orders_not_overfilled",
      sql`${table.shares} is null or ${table.filledShares} <= ${table.shares}`,
    ),
  ],
);

/** The events of an order, its history. Append-only. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: bigserial("id", { mode: "bigint" }).primaryKey(),
    orderId: text("order_id").notNull(),
    type: text("type", { enum: ORDER_EVENT_TYPES }).notNull(),
    keyId: text("key_id"),
    detail: jsonb("detail").$type<Record<string, string>>().notNull(),
    createdAt: instant("created_at").notNull(),
    /** False if a process of a version without account events wrote it. */
    isLogged: boolean("is_logged").notNull().default(false),
  },
  (table) => [
    index("order_events_order").on(table.orderId, table.id),
    index("order_events_unlogged")
      .on(table.orderId)
      .where(sql`not ${table.isLogged}`),
  ],
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
    // For rows after a sequence number. Rows are stored in this order, so a BRIN index costs little.
    index("fills_newest").using("brin", table.sequence).with({ autosummarize: true }),
    index("fills_user").on(table.userId, table.createdAt, table.id),
  ],
);

/**
 * The changes of holdings by splits and merges: one row per outcome. A split buys both outcomes for half
 * a dollar each, a merge sells both for it. Append-only. Rows are numbered together with the fills, so
 * that both can be replayed in order.
 */
export const splitMovements = pgTable(
  "split_movements",
  {
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    epoch: integer("epoch").notNull(),
    marketId: text("market_id").notNull(),
    tokenId: text("token_id").notNull(),
    action: text("action", { enum: ["BUY", "SELL"] }).notNull(),
    shares: micro<Shares>("shares_micro").notNull(),
    notional: micro<Usdc>("notional_micro").notNull(),
    sequence: bigint("sequence", { mode: "bigint" })
      .notNull()
      .default(sql`nextval('fills_sequence_seq')`),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("split_movements_user").on(table.userId, table.epoch),
    index("split_movements_newest").using("brin", table.sequence).with({ autosummarize: true }),
  ],
);

/** Orders on the paper exchange whose trades settle with a simulated fault. */
export const simulatedSettlements = pgTable(
  "simulated_settlements",
  {
    orderId: text("order_id").primaryKey(),
    userId: text("user_id").notNull(),
    settlement: text("settlement", { enum: SIMULATED_SETTLEMENTS }).notNull(),
    /** The size of a trade that failed to settle and so has no fills; zero for other trades. */
    shares: micro<Shares>("shares_micro").notNull(),
    notional: micro<Usdc>("notional_micro").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("simulated_settlements_user").on(table.userId, table.createdAt)],
);

/** Holdings per user, epoch and token, with the cost, which the ledger's share balances lack. */
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
    // The holders of a market that is resolved.
    index("positions_market").on(table.marketId),
    check("positions_not_negative", sql`${table.shares} >= 0 and ${table.cost} >= 0`),
  ],
);

/** Claims on idempotency keys with their responses. Kept forever. */
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

/**
 * Orders that were canceled to be placed again with another price or size. On paper, the row is written
 * by the transaction that cancels the order; live, by the one that records the cancel request.
 */
export const orderReplacements = pgTable(
  "order_replacements",
  {
    /** The order that is replaced. */
    orderId: text("order_id").primaryKey(),
    userId: text("user_id").notNull(),
    /** The idempotency key of the new order. */
    key: text("key").notNull(),
    price: micro<Price>("price_micro").notNull(),
    /** The new size, including what the replaced order filled. */
    shares: micro<Shares>("shares_micro").notNull(),
    /** The size of the new order; null until the cancel is proved. */
    restShares: micro<Shares>("rest_shares_micro"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("order_replacements_key").on(table.userId, table.key)],
);
