import { bigint, doublePrecision, integer, pgTable, text } from "drizzle-orm/pg-core";

/**
 * Counts of sign-in attempts in fixed windows, in the columns that rate-limiter-flexible expects. This
 * table and the others of this file are unlogged: counting costs no write to disk, and a crash forgets it.
 */
export const rateLimits = pgTable("rate_limits", {
  /** The limit's name and a hash of what it counts. */
  key: text("key").primaryKey(),
  points: integer("points").notNull().default(0),
  /** Milliseconds since the Unix epoch. */
  expire: bigint("expire", { mode: "number" }),
});

/** When an account was guessed at, during the longest sliding window of its limits. */
export const guessLogs = pgTable("guess_logs", {
  /** The limit's name and a hash of the account's email. */
  key: text("key").primaryKey(),
  /** Milliseconds since the Unix epoch, oldest first. */
  times: bigint("times", { mode: "number" }).array().notNull(),
});

/** The quota of writes of an API key, or of a user in a browser, as a token bucket. */
export const writeQuotas = pgTable("write_quotas", {
  caller: text("caller").primaryKey(),
  /** When the bucket is full again if nothing else is taken, in seconds since the Unix epoch. */
  fullAtS: doublePrecision("full_at_s").notNull(),
});
