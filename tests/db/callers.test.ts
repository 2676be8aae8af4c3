import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { parseKey } from "@/lib/auth/api-key";
import { getDb, selectRows } from "@/lib/db/client";
import { findCaller } from "@/lib/db/queries/callers";
import { useFreshDatabase } from "@/tests/support/database";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

const LOOK_UPS = 20;

/** How often the table was read through, and how often by an index, as the database counts. */
async function scans(): Promise<{ whole: number; indexed: number }> {
  const db = await getDb();
  await db.execute(sql`select pg_stat_force_next_flush()`);
  const [counted] = await selectRows<{ whole: number; indexed: number }>(
    db,
    sql`select seq_scan::integer as whole, idx_scan::integer as indexed
      from pg_stat_user_tables where relname = 'api_keys'`,
  );
  return counted ?? { whole: 0, indexed: 0 };
}

it("a caller's key is looked up, not searched for, among a thousand and without statistics", async () => {
  const { userId, apiKey } = await makeUser();
  const keyId = parseKey(apiKey)?.id ?? "";
  const db = await getDb();
  await db.execute(sql`insert into api_keys (id, user_id, name, mode, secret_hash, scopes, created_at)
    select lpad(n::text, 8, '0'), ${userId}, 'one of many', 'paper', md5(n::text), '{read}', now()
    from generate_series(1, 1000) as n`);
  const before = await scans();
  for (let count = 0; count < LOOK_UPS; count += 1) {
    const found = await findCaller("paper", { keyId, orderId: null, ofOpenOrders: false });
    expect(found?.key.userId).toBe(userId);
  }
  const enough = before.indexed + LOOK_UPS;
  await vi.waitFor(
    async () => expect((await scans()).indexed).toBeGreaterThanOrEqual(enough),
    20_000,
  );
  // Other statements' scans may be counted late, but none of them was made so often.
  expect((await scans()).whole - before.whole).toBeLessThan(LOOK_UPS);
});
