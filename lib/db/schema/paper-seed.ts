import { sql } from "drizzle-orm";
import { boolean, check, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { instant } from "@/lib/db/schema/columns";

/** The seed of the simulated markets and their results. One row. */
export const paperSeed = pgTable(
  "paper_seed",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    seed: text("seed").notNull(),
    /** How results are drawn from the seed. 1 is for installations from before random seeds. */
    generator: smallint("generator").$type<1 | 2>().notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [check("paper_seed_one_row", sql`${table.isOnly}`)],
);
