import { expect, it, vi } from "vitest";
import { deposit } from "@/lib/accounts/deposit";
import { getDb } from "@/lib/db/client";
import { findOpenOrderIds, type OpenOrderFilter } from "@/lib/db/queries/open-orders";
import { findOrderRecord } from "@/lib/db/queries/order-record";
import { findPaperAccount, findPaperHoldings } from "@/lib/ledger/read-paper-account";
import { usdc } from "@/lib/units";
import { cancel, place } from "@/tests/support/api/client";
import { loadMarkets, orderFor, useExchange } from "@/tests/support/api/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";

vi.mock("@/lib/db/client", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/db/client")>();
  return { ...original, getDb: vi.fn(original.getDb) };
});

useExchange();

/** Reads in an own callback of the event loop, like the request of a connection. */
const later = <T>(read: () => Promise<T>) =>
  new Promise<T>((resolve) => {
    setImmediate(() => {
      resolve(read());
    });
  });

async function makeTrader(): Promise<{ user: TestUser; orderId: string }> {
  const user = await makeUser();
  const { free } = await loadMarkets(user.apiKey);
  const { orderId } = await place(user.apiKey, orderFor(free));
  return { user, orderId };
}

it("concurrent reads of orders share a statement, and each gets its own order", async () => {
  const [one, other] = [await makeTrader(), await makeTrader()];
  const reads = [
    [one, one.orderId],
    [one, other.orderId],
    [other, other.orderId],
    [one, "ord_01JD0000000000000000000000"],
    [one, one.orderId],
  ] as const;
  vi.mocked(getDb).mockClear();
  const found = await Promise.all(
    reads.map(([{ user }, id]) => later(() => findOrderRecord(user.principal, id))),
  );
  expect(getDb).toHaveBeenCalledTimes(1);
  const owners = found.map((record) => record && [record.order.id, record.order.userId]);
  const own = [one.orderId, one.user.userId];
  expect(owners).toEqual([own, null, [other.orderId, other.user.userId], null, own]);
  const addresses = found.map((record) => record?.wallet?.address);
  const { address } = one.user;
  expect(addresses).toEqual([address, undefined, other.user.address, undefined, address]);
});

it("an order of the paper account is unknown to the live account, also in the same moment", async () => {
  const { user, orderId } = await makeTrader();
  const account = { userId: user.userId, mode: "live" } as const;
  const reads = [account, user.principal].map((ref) => later(() => findOrderRecord(ref, orderId)));
  expect((await Promise.all(reads)).map((record) => record?.order.id)).toEqual([
    undefined,
    orderId,
  ]);
});

it("a read of an order sees a cancel that was committed before it, also while others read", async () => {
  const { user, orderId } = await makeTrader();
  const read = () => later(() => findOrderRecord(user.principal, orderId));
  const earlier = read();
  await cancel(user.apiKey, orderId);
  expect((await read())?.order.status).toBe("canceled");
  expect((await earlier)?.order.id).toBe(orderId);
});

it("concurrent lists of open orders share a statement, and each gets the page of its own filter", async () => {
  const users = [await makeUser(), await makeUser()] as const;
  const [{ principal: one }, { principal: other }] = users;
  const { free, fine } = await loadMarkets(users[0].apiKey);
  const [tokenId] = free.outcomes.map((outcome) => outcome.tokenId);
  const placeOne = (user: TestUser, market = free) => place(user.apiKey, orderFor(market));
  const oldest = (await placeOne(users[0])).orderId;
  const middle = (await placeOne(users[0], fine)).orderId;
  const newest = (await placeOne(users[0])).orderId;
  const foreign = (await placeOne(users[1])).orderId;
  const [record] = [await findOrderRecord(one, newest)];
  const after = { createdAt: record?.order.createdAt ?? new Date(0), id: newest };
  const lists: [OpenOrderFilter, typeof after | null, number, string[]][] = [
    [{ account: one }, null, 9, [newest, middle, oldest]],
    [{ account: one }, null, 2, [newest, middle]],
    [{ account: one }, after, 9, [middle, oldest]],
    [{ account: one, market: free.slug }, null, 9, [newest, oldest]],
    [{ account: one, market: fine.slug }, null, 9, [middle]],
    [{ account: one, market: free.id, tokenId }, after, 9, [oldest]],
    [{ account: one, id: middle }, null, 9, [middle]],
    [{ account: one, id: 'a"b\\c,{}' }, null, 9, []],
    [{ account: one, market: "null" }, null, 9, []],
    [{ account: { ...one, mode: "live" } }, null, 9, []],
    [{ account: other }, null, 9, [foreign]],
    [{ account: other, id: middle }, null, 9, []],
    [{ account: one }, null, 9, [newest, middle, oldest]],
  ];
  vi.mocked(getDb).mockClear();
  const found = await Promise.all(
    lists.map(([filter, from, limit]) => later(() => findOpenOrderIds(filter, from, limit))),
  );
  expect(found).toEqual(lists.map(([, , , ids]) => ids));
  expect(getDb).toHaveBeenCalledTimes(1);
});

it("a list of open orders sees a cancel that was committed before it, also while others read", async () => {
  const { user, orderId } = await makeTrader();
  const list = () => later(() => findOpenOrderIds({ account: user.principal }, null, 9));
  const earlier = list();
  await cancel(user.apiKey, orderId);
  expect(await list()).toEqual([]);
  expect([[orderId], []]).toContainEqual(await earlier);
});

it("concurrent reads of accounts share a statement, and each gets its own cash", async () => {
  const [one, other] = [await makeUser(usdc(5_000_000n)), await makeUser(usdc(7_000_000n))];
  vi.mocked(getDb).mockClear();
  const found = await Promise.all(
    [one.userId, "unknown", other.userId, one.userId].map((id) =>
      later(() => findPaperAccount(id)),
    ),
  );
  expect(getDb).toHaveBeenCalledTimes(1);
  expect(found.map((each) => each?.account.userId)).toEqual([
    one.userId,
    undefined,
    other.userId,
    one.userId,
  ]);
  expect(found.map((each) => each?.cash.owned)).toEqual([
    5_000_000n,
    undefined,
    7_000_000n,
    5_000_000n,
  ]);
});

it("concurrent reads of positions share a statement, and each gets its own", async () => {
  const traders = [await makeUser(), await makeUser()];
  const { free, fine } = await loadMarkets(traders[0]?.apiKey ?? "");
  for (const [index, { apiKey }] of traders.entries()) {
    const market = index === 0 ? free : fine;
    await place(apiKey, orderFor(market, { orderType: "market", amount: 2 }));
  }
  const [one = "", other = ""] = traders.map(({ userId }) => userId);
  vi.mocked(getDb).mockClear();
  const found = await Promise.all(
    [one, "unknown", other, one].map((id) => later(() => findPaperHoldings(id))),
  );
  expect(getDb).toHaveBeenCalledTimes(1);
  const held = found.map((each) => each?.positions.map(({ marketId }) => marketId));
  expect(held).toEqual([[free.id], undefined, [fine.id], [free.id]]);
});

it("a read of an account sees a deposit that was committed before it, also while others read", async () => {
  const user = await makeUser(usdc(5_000_000n));
  const read = () => later(() => findPaperAccount(user.userId));
  const earlier = read();
  await deposit(user.userId, usdc(1_000_000n));
  expect((await read())?.cash.owned).toBe(6_000_000n);
  expect((await earlier)?.account.userId).toBe(user.userId);
});

it("a failed statement rejects its reads and no later one", async () => {
  const { user, orderId } = await makeTrader();
  const read = () => later(() => findOrderRecord(user.principal, orderId));
  vi.mocked(getDb).mockRejectedValueOnce(new Error("no database"));
  const failed = await Promise.allSettled([read(), read()]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await read())?.order.id).toBe(orderId);
});
