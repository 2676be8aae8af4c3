import { bigint, timestamp } from "drizzle-orm/pg-core";

/** A column of micro-units, read back as the branded bigint. */
export const micro = <T extends bigint>(name: string) =>
  bigint(name, { mode: "bigint" }).$type<T>();

/** An instant with milliseconds, the precision of everything the interface shows. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
