import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
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
