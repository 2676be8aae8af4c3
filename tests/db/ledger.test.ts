import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { getDb, selectRows, withTransaction } from "@/lib/db/client";
import { findErrorCode } from "@/lib/db/errors";
import {
  type Account,
  available,
  collateral,
  external,
  fees,
  held,
  house,
  issuance,
  type Owner,
  USDC,
} from "@/lib/ledger/accounts";
import { post as postToLedger, type Transfer } from "@/lib/ledger/transfers";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { ledgerChanges, readLedger } from "@/tests/support/exchange/ledger";

useFreshDatabase();

const AT = new Date(Date.UTC(2026, 10, 21));
/** A foreign key refers to the table, so the statement fails before the trigger. */
const REFERENCED = "0A000";
const RESTRICTED = "23001";
const DUPLICATE = "23505";
const CHECK_VIOLATED = "23514";

let next = 0;
const newOwner = (): Owner => ({ userId: `usr_${(next += 1)}`, epoch: 1 });

function transfer(
  debit: Account,
  credit: Account,
  amount: bigint,
  id = `transfer-${(next += 1)}`,
): Transfer {
  return { id, kind: "deposit", debit, credit, amount, groupId: "group" };
}

const post = (...transfers: Transfer[]) =>
  withTransaction((tx) => postToLedger(tx, { transfers: transfers, events: [] }, AT));

const fund = (owner: Owner, amount: bigint) =>
  post(transfer(external(owner), available(owner, USDC), amount));

/** Returns the SQLSTATE of a failure, or null for success. */
async function findFailure(attempt: Promise<unknown>): Promise<string | null> {
  try {
    await attempt;
    return null;
  } catch (error) {
    return findErrorCode(error);
  }
}

describe("append-only tables", () => {
  const TABLES = ["ledger_transfers", "order_events", "fills", "split_movements"] as const;

  beforeAll(async () => {
    const db = await getDb();
    await fund(newOwner(), 5n);
    await db.execute(sql`insert into order_events (order_id, type, detail, created_at)
      values ('ord_1', 'received', '{}', now())`);
    await db.execute(sql`insert into fills (id, trade_id, order_id, user_id, epoch, market_id,
        token_id, action, role, settlement, price_micro, shares_micro, notional_micro, fee_micro,
        created_at)
      values ('fil_1', 'trd_1', 'ord_1', 'usr_1', 1, 'm', '1', 'BUY', 'taker', 'mint', 1, 1, 1, 0,
        now())`);
    await db.execute(sql`insert into split_movements (id, user_id, epoch, market_id, token_id, action,
        shares_micro, notional_micro, created_at)
      values ('spl_1', 'usr_1', 1, 'm', '1', 'BUY', 1, 1, now())`);
  });

  describe.each(TABLES)("%s", (table) => {
    const content = async () =>
      selectRows(await getDb(), sql.raw(`select * from ${table} order by 1`));

    it.each([
      `update ${table} set created_at = now()`,
      `update ${table} set created_at = now() where false`,
      `delete from ${table}`,
      `delete from ${table} where false`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
    ])("refuses %s", async (statement) => {
      const before = await content();
      expect(before).not.toEqual([]);
      const db = await getDb();
      expect([RESTRICTED, REFERENCED]).toContain(await findFailure(db.execute(sql.raw(statement))));
      expect(await content()).toEqual(before);
    });
  });

  it("a transfer cannot be changed by an insert with on conflict do update", async () => {
    const db = await getDb();
    const before = await readLedger();
    const statement = sql`insert into ledger_transfers select * from ledger_transfers
      on conflict (id) do update set amount_micro = 1`;
    expect(await findFailure(db.execute(statement))).toBe(RESTRICTED);
    expect(await ledgerChanges(before)).toEqual({});
  });
});

describe("posting", () => {
  it("moves the balances of both accounts by the amount", async () => {
    const owner = newOwner();
    const before = await readLedger();
    await fund(owner, 100n);
    expect(await ledgerChanges(before)).toEqual({
      [external(owner).id]: -100n,
      [available(owner, USDC).id]: 100n,
    });
  });

  it("an id cannot be posted twice, and the second posting changes nothing", async () => {
    const owner = newOwner();
    const line = transfer(external(owner), available(owner, USDC), 100n);
    await post(line);
    const before = await readLedger();
    expect(await findFailure(post(line))).toBe(DUPLICATE);
    expect(await findFailure(post({ ...line, amount: 5n }))).toBe(DUPLICATE);
    const other = transfer(external(owner), held(owner, USDC), 7n);
    expect(await findFailure(post(other, line))).toBe(DUPLICATE);
    expect(await ledgerChanges(before)).toEqual({});
  });

  it("an id that is posted concurrently is posted once", async () => {
    const owner = newOwner();
    const line = transfer(external(owner), available(owner, USDC), 100n);
    const results = await Promise.all(Array.from({ length: 8 }, () => findFailure(post(line))));
    expect(results.toSorted()).toEqual([...Array(7).fill(DUPLICATE), null]);
    expect((await readLedger()).get(available(owner, USDC).id)).toBe(100n);
  });

  it.each([
    ["available", (owner: Owner) => available(owner, USDC)],
    ["held", (owner: Owner) => held(owner, USDC)],
    ["available shares", (owner: Owner) => available(owner, "4711")],
    ["fees", () => fees("market")],
    ["collateral", () => collateral("market")],
  ] as const)("%s cannot become negative, and the transaction changes nothing", async (_, of) => {
    const owner = newOwner();
    const [from, to] = [of(owner), available(newOwner(), of(owner).asset)];
    await fund(owner, 100n);
    const before = await readLedger();
    const attempt = withTransaction(async (tx) => {
      await postToLedger(
        tx,
        { transfers: [transfer(external(owner), available(owner, USDC), 1n)], events: [] },
        AT,
      );
      const balance = before.get(from.id) ?? 0n;
      await postToLedger(tx, { transfers: [transfer(from, to, balance + 2n)], events: [] }, AT);
    });
    expect(await findFailure(attempt)).toBe(CHECK_VIOLATED);
    expect(await readLedger()).toEqual(before);
  });

  it.each([
    ["external", (owner: Owner) => external(owner)],
    ["house", () => house("market", USDC)],
    ["issuance", () => issuance("4711")],
  ] as const)("%s can become negative, as the other side of users' money", async (_, of) => {
    const owner = newOwner();
    const from = of(owner);
    const before = (await readLedger()).get(from.id) ?? 0n;
    await post(transfer(from, available(owner, from.asset), 3n));
    expect((await readLedger()).get(from.id)).toBe(before - 3n);
  });

  it("transfers that net to zero within a group need no balance", async () => {
    const [ada, bob] = [newOwner(), newOwner()];
    await fund(ada, 10n);
    await post(
      transfer(available(bob, USDC), held(bob, USDC), 10n),
      transfer(available(ada, USDC), available(bob, USDC), 10n),
    );
    const ledger = await readLedger();
    expect([ledger.get(available(bob, USDC).id), ledger.get(held(bob, USDC).id)]).toEqual([
      0n,
      10n,
    ]);
  });

  it("a transfer of zero, of a negative amount or between assets is refused", async () => {
    const owner = newOwner();
    const [cash, token] = [available(owner, USDC), available(owner, "4711")];
    const before = await readLedger();
    await expect(post(transfer(external(owner), cash, 0n))).rejects.toThrow("is positive");
    await expect(post(transfer(external(owner), cash, -1n))).rejects.toThrow("is positive");
    await expect(post(transfer(external(owner), token, 1n))).rejects.toThrow("keeps its asset");
    expect(await findFailure(post(transfer(external(owner), external(owner), 1n)))).toBe(
      CHECK_VIOLATED,
    );
    expect(await ledgerChanges(before)).toEqual({});
  });

  it("posting no transfers changes nothing", async () => {
    const before = await readLedger();
    await post();
    expect(await readLedger()).toEqual(before);
  });
});

describe("balances", () => {
  it("are the sum of the transfers after concurrent postings in any order", async () => {
    const owners = Array.from({ length: 4 }, newOwner);
    await Promise.all(owners.map((owner) => fund(owner, 1_000n)));
    // A ring in both directions: locking in the order of the transfers would deadlock.
    const ring = owners.flatMap((owner, index) => {
      const other = owners[(index + 1) % owners.length] ?? owner;
      const [from, to] = [available(owner, USDC), available(other, USDC)];
      return Array.from({ length: 10 }, (_, step) => [
        transfer(from, to, BigInt(step + 1)),
        transfer(to, from, BigInt(2 * step + 1)),
      ]);
    });
    await Promise.all(ring.map((pair) => post(...pair)));
    const sums = await selectRows<{ account: string; amount: string }>(
      await getDb(),
      sql`select account, sum(amount)::text as amount from (
            select credit_account as account, amount_micro as amount from ledger_transfers
            union all select debit_account, -amount_micro from ledger_transfers) legs
          group by account`,
    );
    const expected = new Map(sums.map(({ account, amount }) => [account, BigInt(amount)]));
    const touched = [...(await readLedger())].filter(([id]) => expected.has(id));
    expect(new Map(touched)).toEqual(expected);
    const total = owners.reduce(
      (sum, owner) => sum + (expected.get(available(owner, USDC).id) ?? 0n),
      0n,
    );
    expect(total).toBe(4_000n);
  });

  it("add up to zero per asset", async () => {
    const rows = await selectRows<{ asset: string; total: string }>(
      await getDb(),
      sql`select asset, sum(balance_micro)::text as total from ledger_accounts group by asset`,
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ total }) => total !== "0")).toEqual([]);
  });
});
