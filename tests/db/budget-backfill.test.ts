import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, place, useTestClock } from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

const MIGRATION = "lib/db/migrations/0025_limits.sql";

const readRows = async (statement: string) => selectRows(await getDb(), sql.raw(statement));

/** Reads the budgets, on which the trigger and the migration must agree. */
async function readBudgets() {
  return {
    holdings: await readRows(`select user_id, epoch, token_id, budget_id, market_id,
        shares_micro::text, spent_micro::text
      from budget_holdings order by 1, 2, 3, 4`),
    costs: (await readRows(`select cost_micro::text as cost from budget_holdings
      order by user_id, epoch, token_id, budget_id`)) as { cost: string }[],
    spent: await readRows(`select user_id, epoch, budget_id, minute::text, spent_micro::text
      from budget_minutes where spent_micro > 0 order by 1, 2, 3, 4`),
  };
}

it("the migration counts earlier trades as the trigger does", async () => {
  const market = freshMarket();
  const users = [await makeUser(), await makeUser()];
  const trade = (user: TestUser, action: "BUY" | "SELL", size: number) =>
    place(user, { market, action, outcome: 0, size: shares(BigInt(size) * 1_000_000n) });
  for (const user of users) {
    await trade(user, "BUY", 40);
    await trade(user, "BUY", 20);
    expect((await trade(user, "SELL", 15)).status).toBe("filled");
  }
  const counted = await readBudgets();
  expect(counted.holdings).toHaveLength(2);

  const db = await getDb();
  await db.execute(sql`drop trigger fills_inserted_budgets on fills`);
  await db.execute(sql`delete from budget_holdings`);
  await db.execute(sql`delete from budget_minutes`);
  // The migration counts the last 25 hours of the database's clock.
  await db.execute(sql`alter table fills disable trigger user`);
  await db.execute(sql`update fills set created_at = date_trunc('minute', now())`);
  await db.execute(sql`alter table fills enable trigger user`);
  const steps = readFileSync(MIGRATION, "utf8").split("--> statement-breakpoint");
  await db.execute(sql.raw(steps.at(-1) ?? ""));

  const migrated = await readBudgets();
  expect(migrated.holdings).toEqual(counted.holdings);
  for (const [index, { cost }] of migrated.costs.entries()) {
    const difference = BigInt(cost) - BigInt(counted.costs[index]?.cost ?? 0);
    // Sales are rounded one by one, and the migration divides once: in micro-dollars.
    expect(difference >= -2n && difference <= 2n).toBe(true);
  }
  const sum = (rows: unknown[]) =>
    rows.reduce(
      (total: bigint, row) => total + BigInt((row as { spent_micro: string }).spent_micro),
      0n,
    );
  expect(sum(migrated.spent)).toBe(sum(counted.spent));
  // The trigger is there again.
  await trade(users[0] as TestUser, "BUY", 5);
  expect(sum((await readBudgets()).spent)).toBeGreaterThan(sum(counted.spent));
});
