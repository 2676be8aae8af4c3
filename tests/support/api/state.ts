import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import { ActivityList, Balance, Portfolio } from "@/lib/schemas/account";
import { FillList, OpenOrders, OrderList } from "@/lib/schemas/orders";
import type { ApiAnswer } from "@/tests/support/api/call-api";
import { readError, read, readOrder } from "@/tests/support/api/client";
import type { TestUser } from "@/tests/support/users";

interface Refusal {
  code: ErrorCode;
  /** A part of the message, or all of it. */
  message?: string | RegExp;
}

/**
 * Asserts that a call is rejected with this error and changes no row of any table.
 */
export async function expectRefusal(
  refusal: Refusal,
  call: () => Promise<ApiAnswer>,
): Promise<void> {
  await expectUnchanged(async () => expectError(await call(), refusal));
}

/** Asserts that `work` changes no row of any table. */
export async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await databaseState();
  await work();
  expect(await databaseState()).toEqual(before);
}

/** Asserts that a response has this error. */
export function expectError(answer: ApiAnswer, { code, message }: Refusal): void {
  const error = readError(answer);
  expect({ status: answer.status, code: error.code }, error.message).toEqual({
    status: ERROR_STATUS[code],
    code,
  });
  expect(error.message).not.toBe("");
  if (message instanceof RegExp) expect(error.message).toMatch(message);
  else if (message !== undefined) expect(error.message).toContain(message);
}

/**
 * Asserts that an order is rejected permanently: it is stored as rejected with its reason, and money,
 * positions, open orders, fills and the house do not change.
 */
export async function expectRejection(
  user: TestUser,
  refusal: Refusal,
  call: () => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const before = await readWealth(user.apiKey);
  const known = await orderIds(user.apiKey);
  const answer = await call();
  expectError(answer, refusal);
  expect(await readWealth(user.apiKey)).toEqual(before);
  const added = (await orderIds(user.apiKey)).filter((id) => !known.includes(id));
  expect(added.map((id) => `/v1/orders/${id}`)).toEqual([answer.headers.get("location")]);
  const record = await readOrder(user.apiKey, added[0] ?? "");
  expect(record).toMatchObject({ status: "rejected", filledShares: 0n, fee: 0n, fills: [] });
  expect(record.events.map((event) => event.type)).toEqual(["received", "rejected"]);
  expect(record.events.at(-1)?.detail).toEqual(readError(answer));
  return answer;
}

/** Reads everything of a user that the API shows, except closed orders. */
export async function readWealth(key: string) {
  return {
    balance: await read(Balance, "/v1/account/balance", key),
    portfolio: await read(Portfolio, "/v1/positions", key),
    open: await read(OpenOrders, "/v1/orders/open", key),
    fills: await read(FillList, "/v1/fills?limit=1000", key),
    activity: await read(ActivityList, "/v1/activity?limit=1000", key),
    exchange: await databaseState(["ledger_transfers", "fills", "positions", "house_taken"]),
  };
}

/** Computes a digest of each table's rows. */
export async function databaseState(tables?: readonly string[]): Promise<Record<string, string>> {
  const db = await getDb();
  const names = tables ?? (await tableNames());
  const digests = names.map(
    // Written some time after the response, so it is not a change by the request.
    (name) => sql`select ${name}::text as name, count(*) || ' rows, ' ||
      coalesce(md5(string_agg(row.digest, ',' order by row.digest)), '-') as digest
      from (select md5((to_jsonb(t) - 'last_used_at')::text) as digest
        from ${sql.identifier(name)} t) row`,
  );
  const rows = await selectRows<{ name: string; digest: string }>(
    db,
    sql.join(digests, sql` union all `),
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

let knownTables: string[] | undefined;

async function tableNames(): Promise<string[]> {
  knownTables ??= (
    await selectRows<{ name: string }>(
      await getDb(),
      sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_name not in ('api_requests', 'rate_limits', 'guess_logs', 'write_quotas') order by table_name`,
    )
  ).map(({ name }) => name);
  return knownTables;
}

async function orderIds(key: string): Promise<string[]> {
  const { orders } = await read(OrderList, "/v1/orders?limit=1000", key);
  return orders.map((order) => order.id);
}
