import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";

/** API keys of the sandbox, as Polymarket gives them: one per owner and nonce, made from both. */
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
    /** The dead man's switch: the last beat, and what the next one must name. Null: never begun. */
    heartbeatId: text("heartbeat_id"),
    heartbeatAt: instant("heartbeat_at"),
  },
  (table) => [index("sandbox_keys_owner").on(table.owner)],
);
