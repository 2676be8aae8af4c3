import { Socket } from "node:net";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { getDb, selectRows, withSnapshot, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { isDatabaseUnavailable } from "@/lib/db/errors";
import { deferStatement, runBatch } from "@/lib/db/pipeline";
import { openAgain, useFreshDatabase } from "@/tests/support/database/fresh-database";

useFreshDatabase();
const isServer = process.env["TEST_DATABASE"] === "postgres";

const insert = (id: string) => sql`insert into house_taken
  (market_id, epoch, side, price_micro, taken_micro) values (${id}::text, 1, 'bid', 1, 1)`;
const find = (id: string) => sql`select market_id as id from house_taken where market_id = ${id}`;
const there = async (id: string) => (await selectRows(await getDb(), find(id))).length === 1;

/** Inserts on another connection and waits for its commit. */
async function insertElsewhere(id: string): Promise<void> {
  await (await getDb()).execute(insert(id));
}

describe("a batch of statements", () => {
  it("sees the changes of its earlier statements", async () => {
    const found = await withTransaction((tx) => runBatch(tx, [insert("a"), find("a")]));
    expect(found).toEqual([[], [{ id: "a" }]]);
    expect(await there("a")).toBe(true);
  });

  it("fails with the error of its failed statement and changes nothing", async () => {
    const divide = sql`select 1 / ${0}::integer as part`;
    const work = (tx: Tx) => runBatch(tx, [insert("b"), divide, insert("c")]);
    await expect(withTransaction(work)).rejects.toMatchObject({ code: "22012" });
    expect([await there("b"), await there("c")]).toEqual([false, false]);
    expect(await withTransaction(async (tx) => selectRows(tx, find("a")))).toHaveLength(1);
  });
});

describe("a deferred statement", () => {
  it("is committed with the transaction", async () => {
    await withTransaction((tx) => deferStatement(tx, insert("d")));
    expect(await there("d")).toBe(true);
  });

  it("is visible to the next statement", async () => {
    await withTransaction(async (tx) => {
      await deferStatement(tx, insert("e"));
      expect(await selectRows(tx, find("e"))).toHaveLength(1);
    });
  });

  it("fails the transaction, which changes nothing", async () => {
    const work = withTransaction(async (tx) => {
      await tx.execute(insert("f"));
      await deferStatement(tx, insert("d"));
    });
    await expect(work).rejects.toMatchObject({ code: "23505" });
    expect(await there("f")).toBe(false);
  });

  it("is dropped when the transaction is rolled back", async () => {
    const work = withTransaction(async (tx) => {
      await deferStatement(tx, insert("g"));
      throw new Error("rolled back");
    });
    await expect(work).rejects.toThrow("rolled back");
    expect(await there("g")).toBe(false);
    await withTransaction((tx) => deferStatement(tx, insert("h")));
    expect([await there("g"), await there("h")]).toEqual([false, true]);
  });
});

it("a transaction without statements changes nothing", async () => {
  expect(await withTransaction(async () => "done")).toBe("done");
  await withTransaction((tx) => deferStatement(tx, insert("i")));
  expect(await there("i")).toBe(true);
});

it("a transaction with a failed statement cannot commit", async () => {
  const work = withTransaction(async (tx) => {
    await tx.execute(insert("j"));
    await selectRows(tx, sql`select 1 / ${0}::integer`).catch(() => []);
  });
  await expect(work).rejects.toThrow();
  expect(await there("j")).toBe(false);
});

it.runIf(isServer)(
  "a later statement sees commits since the earlier one (server only)",
  async () => {
    await withTransaction(async (tx) => {
      expect(await selectRows(tx, find("k"))).toEqual([]);
      await insertElsewhere("k");
      expect(await runBatch(tx, [find("none"), find("k")])).toEqual([[], [{ id: "k" }]]);
    });
  },
);

it.runIf(isServer)("the statements of one trip are one write (server only)", async () => {
  // Opens the connection and prepares the statements.
  const work = async (tx: Tx) => {
    await deferStatement(tx, find("none"));
    await runBatch(tx, [find("none"), find("none")]);
    await deferStatement(tx, find("none"));
  };
  await withTransaction(work);
  await withTransaction(work);
  const write = vi.spyOn(
    Socket.prototype as unknown as { _writeGeneric: () => void },
    "_writeGeneric",
  );
  await withTransaction(work);
  const writes = write.mock.calls.length;
  write.mockRestore();
  // BEGIN with all selects before the wait, then the last one with COMMIT.
  expect(writes).toBe(2);
});

it.runIf(isServer)("a snapshot is fixed by its first statement (server only)", async () => {
  const seen = await withSnapshot(async (tx) => {
    const before = await selectRows(tx, find("l"));
    await insertElsewhere("l");
    return [before, await selectRows(tx, find("l"))];
  });
  expect(seen).toEqual([[], []]);
  expect(await there("l")).toBe(true);
});

it.runIf(isServer)("a snapshot can only be read (server only)", async () => {
  const work = withSnapshot((tx) => tx.execute(insert("m")));
  await expect(work).rejects.toMatchObject({ code: "25006" });
  expect(await there("m")).toBe(false);
});

it.runIf(isServer)(
  "a statement with an invalidated plan is prepared again (server only)",
  async () => {
    const db = await getDb();
    await db.execute(sql`create table changing (id int)`);
    await db.execute(sql`insert into changing values (1)`);
    const all = sql`select changing.*, ${"changing test"}::text as mark from changing`;
    // Consecutive transactions use the same connection, also after a failure.
    const pool = await openAgain({});
    const read = () => pool.transaction((tx) => selectRows<{ next: number }>(tx, all));
    for (let count = 0; count < 3; count += 1) expect(await read()).toHaveLength(1);
    await db.execute(sql`alter table changing add column next int default 7`);
    await expect(read()).rejects.toMatchObject({ code: "0A000" });
    expect(await read()).toMatchObject([{ next: 7 }]);
    await pool.close();
  },
);

it.runIf(isServer)("an idle transaction loses its locks (server only)", async () => {
  const pool = await openAgain({ idle_in_transaction_session_timeout: "300" });
  await insertElsewhere("still");
  const lock = sql`select from house_taken where market_id = ${"still"} for update`;
  const standing = pool.transaction(async (tx) => {
    await tx.execute(lock);
    // Another connection gets the lock before this one continues.
    await withTransaction((other) => other.execute(lock));
    await tx.execute(lock);
  });
  const failure: unknown = await standing.then(
    () => null,
    (error: unknown) => error,
  );
  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect(await selectRows(pool.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await pool.close();
  const [setting] = await selectRows<{ ms: string }>(
    await getDb(),
    sql`select current_setting('idle_in_transaction_session_timeout') as ms`,
  );
  expect(setting?.ms).toBe("30s");
});
