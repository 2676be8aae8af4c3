import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { selectRows, withTransaction } from "@/lib/db/client";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";

useFreshDatabase();
const isServer = process.env["TEST_DATABASE"] === "postgres";

/** A statement text that is unique to this file. */
const echo = (value: string) => sql`select ${value}::text as echoed, 'prepared test' as mark`;

it.runIf(isServer)(
  "a repeated statement is prepared once for all values (server only)",
  async () => {
    await withTransaction(async (tx) => {
      for (const value of ["one", "two", "three", "it's"]) {
        const [row] = await selectRows<{ echoed: string }>(tx, echo(value));
        expect(row?.echoed).toBe(value);
      }
      const prepared = await selectRows<{ name: string; statement: string }>(
        tx,
        sql`select name, statement from pg_prepared_statements`,
      );
      const own = prepared.filter(({ statement }) => statement.includes("'prepared test'"));
      expect(own.map(({ name }) => name)).toEqual([expect.stringMatching(/^ante_\d+$/)]);
    });
  },
);

it.runIf(isServer)(
  "a prepared statement works after a transaction that it failed (server only)",
  async () => {
    const divide = (by: number) => sql`select 1 / ${by}::integer as part, 'broken test' as mark`;
    const run = (by: number) =>
      withTransaction(async (tx) => (await selectRows<{ part: number }>(tx, divide(by)))[0]?.part);
    expect([await run(1), await run(1), await run(1)]).toEqual([1, 1, 1]);
    await expect(run(0)).rejects.toThrow();
    expect(await run(1)).toBe(1);
  },
);
