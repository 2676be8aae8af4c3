import { index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { users } from "@/lib/db/schema/accounts";
import { instant, micro } from "@/lib/db/schema/columns";
import { LIMIT_SCOPES } from "@/lib/domain/limits";
import type { Shares, Usdc } from "@/lib/units";

/**
 * The limits and the freeze of a key, an account or a user. They are written under an exclusive lock
 * of the user's row, so that an order, which locks that row too, sees either all of a change or nothing.
 */
export const limitRules = pgTable(
  "limit_rules",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    scope: text("scope", { enum: LIMIT_SCOPES }).notNull(),
    /** The budget of a key, the mode of an account; empty for a user. */
    subject: text("subject").notNull(),
    /** The JSON of `Limits` in lib/schemas/limits. */
    limits: jsonb("limits").$type<Record<string, unknown>>().notNull(),
    frozenAt: instant("frozen_at"),
    /** Why it is frozen, as a sentence; null if it is not. */
    frozenReason: text("frozen_reason"),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.scope, table.subject] })],
);

/**
 * The purchases of each budget per token, with fees, and the part that the account still holds. A sale takes
 * from the seller's own budget first. The budget is empty for orders without a key. A trigger on
 * `fills` maintains it, see its migration. Only SQL names it.
 * @public
 */
export const budgetHoldings = pgTable(
  "budget_holdings",
  {
    userId: text("user_id").notNull(),
    epoch: integer("epoch").notNull(),
    tokenId: text("token_id").notNull(),
    budgetId: text("budget_id").notNull(),
    marketId: text("market_id").notNull(),
    shares: micro<Shares>("shares_micro").notNull(),
    cost: micro<Usdc>("cost_micro").notNull(),
    /** Everything that was ever spent on the token. */
    spent: micro<Usdc>("spent_micro").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.epoch, table.tokenId, table.budgetId] }),
    // The holdings of a market that is resolved.
    index("budget_holdings_market").on(table.marketId),
  ],
);

/**
 * The spending of each budget on buys, with fees, and the losses of its sales and resolved markets, per minute.
 * The trigger maintains it, and the announcement of a resolved market. Only SQL names it.
 * @public
 */
export const budgetMinutes = pgTable(
  "budget_minutes",
  {
    userId: text("user_id").notNull(),
    epoch: integer("epoch").notNull(),
    budgetId: text("budget_id").notNull(),
    minute: instant("minute").notNull(),
    spent: micro<Usdc>("spent_micro").notNull(),
    /** Cost less proceeds, so gains are negative. */
    lost: micro<Usdc>("lost_micro").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.epoch, table.minute, table.budgetId] })],
);
