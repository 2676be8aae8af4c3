import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { setMonotonic } from "@/lib/clock";
import {
  getDatabase,
  getDb,
  selectRows,
  useDatabase,
  withSnapshot,
  withStatement,
  withTransaction,
} from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { deferStatement } from "@/lib/db/pipeline";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  type FailingDatabase,
  withSerializationFailures,
} from "@/tests/support/database/serialization-failures";

useFreshDatabase();

/** So many that no run is without failures, and few enough that no attempts are all in vain. */
const SHARE = 0.5;
const RUNS = 40;

const add = sql`insert into house_taken (market_id, epoch, side, price_micro, taken_micro)
  values ('a', 1, 'bid', 1, 1) on conflict (market_id, epoch, side, price_micro)
  do update set taken_micro = house_taken.taken_micro + 1`;
const FAIL = sql.raw("do $$ begin raise exception using errcode = '40001'; end $$");
const count = async (db: Tx): Promise<number> => {
  const [row] = await selectRows<{ taken: string }>(
    db,
    sql`select coalesce(sum(taken_micro), 0) as taken from house_taken`,
  );
  return Number(row?.taken);
};

describe.runIf(process.env["TEST_DATABASE"] === "postgres")(
  "40001 and 40P01 (Postgres only)",
  () => {
    let failing: FailingDatabase;

    beforeEach(async () => {
      const original = await getDatabase();
      await original.db.execute(sql`delete from house_taken`);
      failing = withSerializationFailures(original, SHARE);
      useDatabase(failing);
      onTestFinished(() => {
        failing.restore();
        useDatabase(original);
      });
    });

    it("repeat a transaction, which takes effect once", async () => {
      for (let run = 0; run < RUNS; run += 1) {
        await withTransaction(async (tx) => {
          await tx.execute(add);
          await deferStatement(tx, add);
        });
      }
      expect(failing.countFailures()).toBeGreaterThan(0);
      expect(await count(await getDb())).toBe(2 * RUNS);
    });

    it("repeat a statement of its own, which takes effect once", async () => {
      for (let run = 0; run < RUNS; run += 1) {
        await (await getDb()).execute(add);
        await withStatement((db) => db.execute(add));
      }
      expect(failing.countFailures()).toBeGreaterThan(0);
      expect(await count(await getDb())).toBe(2 * RUNS);
    });

    it("repeat the reads of a snapshot", async () => {
      await (await getDb()).execute(add);
      for (let run = 0; run < RUNS; run += 1) expect(await withSnapshot(count)).toBe(1);
      expect(failing.countFailures()).toBeGreaterThan(0);
    });

    it("repeat a transaction whose first attempt took longer than all attempts together may", async () => {
      let passedMs = 0;
      onTestFinished(setMonotonic(() => performance.now() + passedMs));
      const work = vi.fn(async (tx: Tx) => {
        await tx.execute(add);
        if (passedMs > 0) return;
        passedMs = 60_000;
        await tx.execute(FAIL);
      });
      await withTransaction(work);
      expect(await count(await getDb())).toBe(1);
    });

    it("don't hide that the money is spent", async () => {
      const work = async (tx: Tx) => {
        await tx.execute(sql`do $$ begin raise exception 'ledger_accounts_not_negative'
          using errcode = '23514'; end $$`);
      };
      for (let run = 0; run < RUNS; run += 1) {
        await expect(withTransaction(work)).rejects.toMatchObject({ code: "23514" });
      }
    });

    it("are reported after many attempts, and nothing changes", async () => {
      const work = vi.fn(async (tx: Tx) => {
        await tx.execute(add);
        await tx.execute(FAIL);
      });
      await expect(withTransaction(work)).rejects.toMatchObject({ code: "40001" });
      expect(work.mock.calls.length).toBeGreaterThan(5);
      expect(await count(await getDb())).toBe(0);
    });
  },
);
