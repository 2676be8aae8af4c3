import "server-only";
import { sql } from "drizzle-orm";
import { getDb, selectRows } from "@/lib/db/client";

interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Runs the statements of rate-limiter-flexible on the service's database, embedded or not. */
export const limitStore = {
  query: async ({ text, values }: Statement) => {
    const parts = text.split(/\$(\d+)/).map((part, index) => {
      return index % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`;
    });
    const rows = await selectRows(await getDb(), sql.join(parts));
    return { rows, rowCount: rows.length };
  },
};
