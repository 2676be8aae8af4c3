import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";
import { SESSION_SCOPES } from "@/lib/domain/session-key";

/** API keys of the sandbox. Like at Polymarket, each is derived from an owner and a nonce. */
export const sandboxKeys = pgTable(
  "sandbox_keys",
  {
    /** The UUID that the venue calls apiKey. */
    id: text("id").primaryKey(),
    /** The owner's address with its checksum. */
    owner: text("owner").notNull(),
    nonce: text("nonce").notNull(),
    createdAt: instant("created_at").notNull(),
    deletedAt: instant("deleted_at"),
    /** The dead man's switch: the last heartbeat and its id, which the next one must carry. Null if off. */
    heartbeatId: text("heartbeat_id"),
    heartbeatAt: instant("heartbeat_at"),
  },
  (table) => [index("sandbox_keys_owner").on(table.owner)],
);

/** Session keys that owners authorized on their deposit wallets. Addresses have their checksum. */
export const sandboxSessionKeys = pgTable(
  "sandbox_session_keys",
  {
    wallet: text("wallet").notNull(),
    address: text("address").notNull(),
    scopes: text("scopes", { enum: SESSION_SCOPES }).array().notNull(),
    expiresAt: instant("expires_at").notNull(),
    authorizedAt: instant("authorized_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.wallet, table.address] }),
    index("sandbox_session_keys_address").on(table.address),
  ],
);

/** The conditions that the operator has set for the whole sandbox. One row; none before the first change. */
export const sandboxSwitches = pgTable(
  "sandbox_switches",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    switches: jsonb("switches").$type<Record<string, unknown>>().notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [check("sandbox_switches_one_row", sql`${table.isOnly}`)],
);

/** Builders' API keys of the sandbox's relayer. Their secrets derive from the id. */
export const sandboxBuilderKeys = pgTable(
  "sandbox_builder_keys",
  {
    id: text("id").primaryKey(),
    /** The owner's address with its checksum. */
    owner: text("owner").notNull(),
    createdAt: instant("created_at").notNull(),
    deletedAt: instant("deleted_at"),
  },
  (table) => [index("sandbox_builder_keys_owner").on(table.owner)],
);

/** The wallets that the relayer knows, by their addresses in lower case. */
export const sandboxWallets = pgTable("sandbox_wallets", {
  address: text("address").primaryKey(),
  /** The nonce of the next transaction: the number of those that were applied. */
  nonce: bigint("nonce", { mode: "bigint" })
    .notNull()
    .default(sql`0`),
  /** Null until the wallet's contract exists. */
  deployedAt: instant("deployed_at"),
});

/**
 * The approvals that wallets gave to contracts: base units for collateral, 1 or 0 for positions.
 * Addresses are in lower case. A wallet without a row has the default of SANDBOX_RULES.
 */
export const sandboxApprovals = pgTable(
  "sandbox_approvals",
  {
    wallet: text("wallet").notNull(),
    /** The contract that holds the collateral or the positions. */
    token: text("token").notNull(),
    spender: text("spender").notNull(),
    amount: numeric("amount", { precision: 78, scale: 0, mode: "bigint" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.wallet, table.token, table.spender] })],
);

/** A call of a relayed transaction, as sent. */
interface StoredCall {
  target: string;
  data: string;
}

/** Transactions that the relayer accepted. Each is applied once, or has an error. */
export const sandboxTransactions = pgTable(
  "sandbox_transactions",
  {
    id: text("id").primaryKey(),
    wallet: text("wallet").notNull(),
    /** The address whose key signed. */
    sender: text("sender").notNull(),
    type: text("type", {
      enum: ["WALLET", "SAFE", "PROXY", "WALLET-CREATE", "SAFE-CREATE"],
    }).notNull(),
    /** Null for the creation of a wallet. */
    nonce: numeric("nonce", { precision: 78, scale: 0, mode: "bigint" }),
    calls: jsonb("calls").$type<StoredCall[]>().notNull(),
    metadata: text("metadata").notNull(),
    /** Part of the transaction on the chain; null for older rows, and for the creation of a deposit wallet. */
    signature: text("signature"),
    /** The builder's or relayer's key that submitted it. */
    keyId: text("key_id").notNull(),
    createdAt: instant("created_at").notNull(),
    /** When its calls take effect, and when that is final. */
    minedAt: instant("mined_at").notNull(),
    confirmedAt: instant("confirmed_at").notNull(),
    appliedAt: instant("applied_at"),
    /** Why its calls had no effect. */
    error: text("error"),
  },
  (table) => [
    index("sandbox_transactions_wallet").on(table.wallet, table.createdAt),
    index("sandbox_transactions_key").on(table.keyId, table.createdAt),
    index("sandbox_transactions_pending")
      .on(table.wallet)
      .where(sql`${table.appliedAt} is null and ${table.error} is null`),
    // The migration declares the function: an index needs one that is immutable.
    index("sandbox_transactions_hash").on(sql`sandbox_transaction_hash(${table.id})`),
  ],
);
