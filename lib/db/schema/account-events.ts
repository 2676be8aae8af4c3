import { type SQL, sql } from "drizzle-orm";
import { bigint, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { apiKeys } from "@/lib/db/schema/accounts";
import { instant } from "@/lib/db/schema/columns";
import {
  ACCOUNT_EVENT_TYPES,
  type OrderEventType,
  type TransactionEventType,
} from "@/lib/domain/account-events";
import type { LimitScope } from "@/lib/domain/limits";
import {
  ALL_KINDS,
  listNotifiedTypes,
  type NotificationKind,
  PARTLY_NOTIFIED,
} from "@/lib/domain/notifications";
import type { OrderStatus } from "@/lib/domain/order-status";
import type { PublicStatus, WalletTransactionKind } from "@/lib/domain/wallet-transaction";

/** The fields of an order that change. The others are read from its row. Amounts are micro-units as text. */
export interface OrderState {
  status: OrderStatus;
  filledShares: string;
  filledNotional: string;
  fee: string;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

/** A holding. Amounts are micro-units as text. */
export interface PositionState {
  tokenId: string;
  marketId: string;
  shares: string;
  cost: string;
  realizedPnl: string;
}

/** Cash in micro-USDC as text. */
export interface CashState {
  available: string;
  held: string;
}

/** An API key without its secret. Instants are ISO texts. */
export interface KeyState {
  id: string;
  name: string;
  mode: "paper" | "live";
  scopes: readonly (typeof apiKeys.$inferSelect)["scopes"][number][];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  /** The key that replaces this one after a rotation. */
  replacedBy: string | null;
}

/** The subject of limits or a freeze: a key by its id, the account, or all accounts of the user. */
interface LimitedState {
  scope: LimitScope;
  keyId: string | null;
}

interface WalletState {
  address: string;
  funderAddress: string;
}

/** A wallet with a session key, and the ISO text of the key's end. */
interface WalletKeyState extends WalletState {
  expiresAt: string;
}

/** A wallet transaction after an event. Amounts are micro-units as text. */
export interface TransactionState {
  id: string;
  kind: WalletTransactionKind;
  status: PublicStatus;
  marketId: string | null;
  /** The pairs of a split or merge. */
  shares: string | null;
  /** Why it waits or failed, as a sentence for users. */
  reason: string | null;
  transactionHash: string | null;
  /** Set if the event is a notification. */
  notifiesOwner?: true;
}

/** What is stored of each type of event: what changes, and the ids of the rows that have the rest. */
export interface StoredEventData
  extends
    Record<OrderEventType, OrderState & { detail: Record<string, string> }>,
    Record<TransactionEventType, TransactionState> {
  "account.snapshot": CashState & {
    positions: readonly PositionState[];
    orders: readonly (OrderState & { id: string })[];
  };
  /** The epoch that begins after this event. */
  "account.reset": { nextEpoch: number };
  "fill.created": { fillId: string };
  "fill.reversed": { fillId: string };
  "position.changed": PositionState;
  "position.redeemable": PositionState;
  "position.redeemed": { tokenId: string; shares: string; payout: string };
  "balance.changed": CashState;
  "deposit.created": { id: string; amount: string };
  "key.created": KeyState;
  "key.rotated": KeyState;
  "key.revoked": KeyState;
  "limits.changed": LimitedState & { limits: Record<string, unknown> };
  "trading.frozen": LimitedState & { reason: string };
  "trading.thawed": LimitedState;
  "wallet.added": WalletState;
  "wallet.removed": WalletState;
  "wallet.key_expiring": WalletKeyState;
  "wallet.key_expired": WalletKeyState;
  /** The winning outcome; null if the market pays both. */
  "market.resolved": { marketId: string; winner: 0 | 1 | null };
  "venue.degraded": Record<string, never>;
  "venue.recovered": Record<string, never>;
  "webhook.disabled": { webhookId: string; url: string; reason: string };
}

/**
 * The condition of events that are notifications of these kinds. Its values are constants of this project
 * and part of the text: parameters would keep the index from being used.
 */
export function isNotified(kinds: readonly NotificationKind[]): SQL {
  const types = listNotifiedTypes(kinds).map((type) => `'${type}'`);
  const partly = PARTLY_NOTIFIED.filter(({ kind }) => kinds.includes(kind));
  const conditions = [
    ...(types.length === 0 ? [] : [`account_events.type in (${types.join(", ")})`]),
    ...partly.map(({ type, path, is, value }) => {
      const names = path.map((name) => `'${name}'`);
      const field = ["account_events.data", ...names.slice(0, -1)].join(" -> ");
      return `(account_events.type = '${type}' and ${field} ->> ${names.at(-1)} ${is} '${value}')`;
    }),
  ];
  return sql.raw(conditions.length === 0 ? "false" : `(${conditions.join(" or ")})`);
}

/** The condition of the index of notifications, word for word, so that queries with it use the index. */
export const IS_NOTIFIED = isNotified(ALL_KINDS);

/**
 * What happened to an account, numbered without gaps in the order of the commits. Append-only. A row is
 * written under the lock of the account's cash row, whose `version` is the last `seq`.
 */
export const accountEvents = pgTable(
  "account_events",
  {
    userId: text("user_id").notNull(),
    mode: text("mode", { enum: ["paper", "live"] }).notNull(),
    /** Counts from 1 per account, across the epochs of a paper account. */
    seq: bigint("seq", { mode: "number" }).notNull(),
    epoch: integer("epoch").notNull(),
    type: text("type", { enum: ACCOUNT_EVENT_TYPES }).notNull(),
    data: json("data").$type<StoredEventData[keyof StoredEventData]>().notNull(),
    orderId: text("order_id"),
    /** The request and the key that caused the event, if it was a request of the account's owner. */
    requestId: text("request_id"),
    keyId: text("key_id"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.mode, table.seq] }),
    // The resets and snapshots of an account, which begin what a reader needs.
    index("account_events_starts")
      .on(table.userId, table.mode, table.seq)
      .where(sql`${table.type} in ('account.reset', 'account.snapshot')`),
    index("account_events_notified").on(table.userId, table.mode, table.seq).where(IS_NOTIFIED),
  ],
);
