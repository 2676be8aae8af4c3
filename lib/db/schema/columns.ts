import { bigint, timestamp } from "drizzle-orm/pg-core";

/** Defines a column of millionths, read as a branded bigint. */
export const micro = <T extends bigint>(name: string) =>
  bigint(name, { mode: "bigint" }).$type<T>();

/** Defines an instant with milliseconds, the precision of the API. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
