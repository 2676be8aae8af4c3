import { afterEach, describe, expect, it } from "vitest";
import { withTransaction } from "@/lib/db/client";
import { runBatch } from "@/lib/db/pipeline";
import { OrderLimits } from "@/lib/db/queries/limit-bounds";
import type { Limits } from "@/lib/domain/limits";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { describeKey } from "@/lib/limits/describe-key";
import { freeze } from "@/lib/limits/freeze";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { notional, price, shares, usdc } from "@/lib/units";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findPriceInside,
  freshMarket,
  type Placed,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(10_000_000n);
const dollars = (whole: number) => usdc(BigInt(whole) * 1_000_000n);

/** A buy that rests in any market, and what it reserves. */
const DIME = price(100_000n);
const COST = notional(SIZE, DIME, "up");
const restingIn = (market: PaperMarket) =>
  ({ market, action: "BUY", outcome: 0, limit: DIME, size: SIZE }) as const;

async function makeLimited(limits: Limits): Promise<TestUser> {
  const user = await makeUser();
  await limitAccount(user, limits);
  return user;
}

const limitAccount = ({ userId }: TestUser, limits: Limits) =>
  setLimits({ userId, subject: { scope: "account", mode: "paper" }, limits });

/** The same user in the dashboard, whose orders have no key. */
const inDashboard = (user: TestUser) =>
  ({ ...user, principal: { ...user.principal, keyId: null } }) as unknown as TestUser;

const countPlaced = (placed: readonly Placed[]) =>
  placed.filter(({ code }) => code === null).length;

/** Each order after the first is checked against what this process remembers of the one before. */
describe("a limit that is checked order after order", () => {
  it.each([
    ["perDay", { perDay: usdc(5n * COST) }],
    ["total", { total: usdc(5n * COST) }],
    ["openExposure", { openExposure: usdc(5n * COST) }],
    ["perMarket", { perMarket: usdc(5n * COST) }],
    ["maxOpenOrders", { maxOpenOrders: 5 }],
    ["ordersPerMinute", { ordersPerMinute: 5 }],
  ] as const)("is used up exactly (%s)", async (name, limits) => {
    const user = await makeLimited(limits);
    const market = freshMarket();
    const placed = [];
    for (let index = 0; index < 8; index += 1) placed.push(await place(user, restingIn(market)));
    expect(placed.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 5 }, () => null),
      ...Array.from({ length: 3 }, () => "RISK_LIMIT_EXCEEDED"),
    ]);
    const remaining = (await describeKey(user.principal)).limits[name]?.remaining;
    expect(Number(remaining)).toBe(0);
  });

  it("is used up exactly by a key and the dashboard in turn", async () => {
    const user = await makeLimited({ total: usdc(5n * COST) });
    const market = freshMarket();
    const placed = [];
    for (let index = 0; index < 8; index += 1) {
      const from = index % 3 === 0 ? inDashboard(user) : user;
      placed.push(await place(from, restingIn(market)));
    }
    expect(countPlaced(placed)).toBe(5);
  });

  it("counts an order of the dashboard after an order of the key that ended without being placed", async () => {
    const user = await makeLimited({ total: usdc(2n * COST) });
    const market = freshMarket();
    await place(user, restingIn(market));
    const { userId, keyId } = user.principal;
    await withTransaction(async (tx) => {
      const query = { userId, keyId, mode: "paper", marketId: market.id, now: clock.now } as const;
      const limits = new OrderLimits(query);
      limits.receive(await runBatch(tx, limits.statements));
    });
    await place(inDashboard(user), restingIn(market));
    expect((await place(user, restingIn(market))).code).toBe("RISK_LIMIT_EXCEEDED");
  });

  it("is used up exactly in every market in turn (perMarket)", async () => {
    const user = await makeLimited({ perMarket: usdc(3n * COST) });
    const markets = [freshMarket(), freshMarket()];
    const placed = [];
    for (let index = 0; index < 10; index += 1) {
      const market = markets[index % markets.length];
      if (market) placed.push(await place(user, restingIn(market)));
    }
    expect(placed.slice(0, 6).every(({ status }) => status === "open")).toBe(true);
    expect(countPlaced(placed)).toBe(6);
  });

  it("gives back what each cancel frees", async () => {
    const user = await makeLimited({ total: usdc(2n * COST), maxOpenOrders: 2 });
    const market = freshMarket();
    await place(user, restingIn(market));
    for (let index = 0; index < 6; index += 1) {
      const { orderId, status } = await place(user, restingIn(market));
      expect({ status, index }).toEqual({ status: "open", index });
      await cancelOrder(user.principal, orderId);
    }
  });

  it("counts what fills", async () => {
    const user = await makeLimited({ total: dollars(20) });
    const market = freshMarket();
    const buy = { market, action: "BUY", outcome: 0, amount: dollars(3) } as const;
    const placed = [];
    for (let index = 0; index < 10; index += 1) placed.push(await place(user, buy));
    const { total } = (await describeKey(user.principal)).limits;
    expect(total?.used).toBeLessThanOrEqual(dollars(20));
    expect(total?.remaining).toBeLessThan(dollars(4));
    expect(countPlaced(placed)).toBeLessThan(10);
  });

  it("counts the loss of a sale that rested (dailyLoss)", async () => {
    const user = await makeLimited({ dailyLoss: usdc(1n) });
    const market = freshMarket();
    const limit = findPriceInside(market)(0);
    await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    const sale = { market, action: "SELL", outcome: 0, limit, size: SIZE } as const;
    expect(await place(user, sale)).toMatchObject({ status: "open" });
    expect(await place(user, restingIn(market))).toMatchObject({ status: "open" });
    const taker = await makeUser();
    await place(taker, { market, action: "BUY", outcome: 0, worst: limit, size: SIZE });
    const refused = await place(user, restingIn(market));
    expect(refused.message).toContain("dailyLoss is");
  });

  it("holds from the moment it is lowered", async () => {
    const user = await makeLimited({ total: dollars(100) });
    const market = freshMarket();
    for (let index = 0; index < 3; index += 1) await place(user, restingIn(market));
    await limitAccount(user, { total: usdc(3n * COST) });
    expect((await place(user, restingIn(market))).message).toContain("total of this account");
  });

  it("holds again after it was removed for some orders", async () => {
    const user = await makeLimited({ total: usdc(3n * COST) });
    const market = freshMarket();
    await place(user, restingIn(market));
    await limitAccount(user, {});
    for (let index = 0; index < 2; index += 1) await place(user, restingIn(market));
    await limitAccount(user, { total: usdc(3n * COST) });
    expect((await place(user, restingIn(market))).code).toBe("RISK_LIMIT_EXCEEDED");
  });
});

it("a freeze holds for the next order of a key that had limits", async () => {
  const user = await makeLimited({ total: dollars(100) });
  const market = freshMarket();
  for (let index = 0; index < 3; index += 1) await place(user, restingIn(market));
  await freeze({ userId: user.userId, subject: { scope: "user" }, reason: "A test." });
  expect((await place(user, restingIn(market))).code).toBe("TRADING_FROZEN");
});
