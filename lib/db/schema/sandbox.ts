import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";

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
