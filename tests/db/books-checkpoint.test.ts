import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { checkSinceCheckpoint } from "@/lib/ledger/books-checkpoint";
import { readCheckpoint, verifyBooks } from "@/lib/ledger/verify-books";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { MINUTE, useTestClock } from "@/tests/support/exchange/orders";
import { liveRandomly } from "@/tests/support/exchange/random-trading";

useFreshDatabase();
const clock = useTestClock();
const SEED = 20_261_122;

const liveOn = (operations: number) =>
  liveRandomly(clock, { seed: SEED + operations, operations, width: 4, users: 4 });
const one = async <T>(statement: ReturnType<typeof sql>): Promise<T> => {
  const [row] = await selectRows<T>(await getDb(), statement);
  if (row === undefined) throw new Error("the random life left what this test needs");
  return row;
};
const change = async (statement: ReturnType<typeof sql>) => (await getDb()).execute(statement);

beforeAll(async () => {
  await liveOn(150);
}, 120_000);
// Each test has undone its changes, so the complete check agrees.
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

describe("a check of the books from the checkpoint", () => {
  it("agrees with the complete check before and after the checkpoint moves", async () => {
    expect(await readCheckpoint(await getDb())).toBeNull();
    for (const operations of [0, 60, 0, 61]) {
      if (operations > 0) await liveOn(operations);
      const { problems, transfers, accounts, orders } = await checkSinceCheckpoint();
      expect(problems).toEqual([]);
      expect(await verifyBooks()).toMatchObject({ transfers, accounts, orders });
      const { last } = await one<{ last: string }>(
        sql`select max(sequence)::text as last from ledger_transfers`,
      );
      expect(await readCheckpoint(await getDb())).toMatchObject({
        transferSequence: BigInt(last),
        transfers: BigInt(transfers),
      });
    }
  }, 120_000);

  it("has the same balances and holdings as the complete history", async () => {
    // Open orders are canceled after each test.
    await checkSinceCheckpoint();
    const wrong = await selectRows(
      await getDb(),
      sql`select from ledger_accounts a full join books_checkpoint_balances b on b.account_id = a.id
          where coalesce(a.balance_micro, 0) <> coalesce(b.balance_micro, 0)
          union all select from positions p full join books_checkpoint_holdings h
            using (user_id, epoch, token_id)
          where p.shares_micro is distinct from h.shares_micro
            or p.cost_micro is distinct from h.cost_micro
            or p.realized_pnl_micro is distinct from h.realized_pnl_micro`,
    );
    expect(wrong).toEqual([]);
  });

  it("reports a balance that was changed long after its last transfer until it is fixed", async () => {
    const { id } = await one<{ id: string }>(
      sql`select id from ledger_accounts where kind = 'available' and asset = 'usdc' limit 1`,
    );
    const add = (by: number) =>
      change(sql`update ledger_accounts set balance_micro = balance_micro + ${by}::bigint
        where id = ${id}`);
    await add(1);
    for (let times = 0; times < 2; times += 1) {
      expect((await checkSinceCheckpoint()).problems.join()).toContain(`account ${id} has`);
    }
    await add(-1);
    expect((await checkSinceCheckpoint()).problems).toEqual([]);
  });

  it("reports a position whose cost or profit was changed, old or new", async () => {
    const { user, token } = await one<{ user: string; token: string }>(
      sql`select user_id as user, token_id as token from positions where epoch > 0 limit 1`,
    );
    const add = (by: number) =>
      change(sql`update positions set realized_pnl_micro = realized_pnl_micro + ${by}::bigint
        where user_id = ${user} and token_id = ${token}`);
    await add(1);
    const expected = /does not follow from its fills/;
    expect((await checkSinceCheckpoint()).problems.join()).toMatch(expected);
    await liveOn(20);
    expect((await checkSinceCheckpoint()).problems.join()).toMatch(expected);
    await add(-1);
    expect((await checkSinceCheckpoint()).problems).toEqual([]);
  }, 60_000);

  it("reports an order that shows more than its fills, and does not move past it", async () => {
    await liveOn(20);
    const { id } = await one<{ id: string }>(sql`select order_id as id from order_events
      where id > (select event_id from books_checkpoint) order by id desc limit 1`);
    const add = (by: number) =>
      change(sql`update orders set fee_micro = fee_micro + ${by}::bigint where id = ${id}`);
    await add(1);
    const before = await readCheckpoint(await getDb());
    for (let times = 0; times < 2; times += 1) {
      expect((await checkSinceCheckpoint()).problems.join()).toContain(`order ${id} shows`);
    }
    expect(await readCheckpoint(await getDb())).toEqual(before);
    await add(-1);
    expect((await checkSinceCheckpoint()).problems).toEqual([]);
  }, 60_000);

  it("reports a book level that differs from the sum of its orders", async () => {
    await change(sql`insert into book_levels values ('no market', 'bid', 500000, 1)`);
    expect((await checkSinceCheckpoint()).problems).toEqual([
      "book of no market shows 1 at 500000, its orders add up to 0",
    ]);
    await change(sql`delete from book_levels where market_id = 'no market'`);
  });

  it("moves the checkpoint once when processes check concurrently", async () => {
    await liveOn(40);
    clock.advance(MINUTE);
    const checks = await Promise.all(Array.from({ length: 4 }, () => checkSinceCheckpoint()));
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect((await checkSinceCheckpoint()).problems).toEqual([]);
  }, 60_000);
});
