import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { parseKey } from "@/lib/auth/api-key";
import { getDb, selectRows } from "@/lib/db/client";
import { type CallerRow, findCaller } from "@/lib/db/queries/callers";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser } from "@/tests/support/users";

vi.mock("@/lib/db/client", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/db/client")>();
  return { ...original, getDb: vi.fn(original.getDb) };
});

useFreshDatabase();

const LOOK_UPS = 20;

/** Returns the database's counts of sequential and index scans of the table. */
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

it("a caller's key is found with an index among a thousand keys, also without statistics", async () => {
  const { userId, apiKey } = await makeUser();
  const keyId = parseKey(apiKey)?.id ?? "";
  const db = await getDb();
  await db.execute(sql`insert into api_keys (id, user_id, name, mode, secret_hash, scopes, created_at)
    select lpad(n::text, 8, '0'), ${userId}, 'one of many', 'paper', md5(n::text), '{read}', now()
    from generate_series(1, 1000) as n`);
  const before = await scans();
  for (let count = 0; count < LOOK_UPS; count += 1) {
    const found = await findCaller("paper", keyId);
    expect(found?.key.userId).toBe(userId);
  }
  const enough = before.indexed + LOOK_UPS;
  await vi.waitFor(
    async () => expect((await scans()).indexed).toBeGreaterThanOrEqual(enough),
    20_000,
  );
  // Scans of other statements can be counted late, but there are far fewer of them.
  expect((await scans()).whole - before.whole).toBeLessThan(LOOK_UPS);
});

/** Looks up a paper key in an own callback of the event loop, like the request of a connection. */
const findLater = (keyId: string) =>
  new Promise<CallerRow | null>((resolve) => {
    setImmediate(() => {
      resolve(findCaller("paper", keyId));
    });
  });

it("concurrent requests share a statement, and each gets its own caller", async () => {
  const users = [await makeUser(), await makeUser()];
  const [one = "", other = ""] = users.map(({ principal }) => principal.keyId);
  vi.mocked(getDb).mockClear();
  const found = await Promise.all([one, "unknown", other, one].map(findLater));
  const userIds = [users[0]?.userId, undefined, users[1]?.userId, users[0]?.userId];
  expect(found.map((caller) => caller?.key.userId)).toEqual(userIds);
  expect(getDb).toHaveBeenCalledTimes(1);
});

it("a request sees a revocation that was committed before it, also while others are looked up", async () => {
  const { userId, principal } = await makeUser();
  const db = await getDb();
  const earlier = findLater(principal.keyId);
  await db.execute(sql`update api_keys set revoked_at = now() where user_id = ${userId}`);
  expect((await findLater(principal.keyId))?.key.revokedAt).not.toBeNull();
  expect((await earlier)?.key.userId).toBe(userId);
});

it("a failed statement rejects its requests and no later one", async () => {
  const { userId, principal } = await makeUser();
  vi.mocked(getDb).mockRejectedValueOnce(new Error("no database"));
  const failed = await Promise.allSettled([principal.keyId, "unknown"].map(findLater));
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await findLater(principal.keyId))?.key.userId).toBe(userId);
});
