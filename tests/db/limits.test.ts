import { afterEach, describe, expect, it } from "vitest";
import { revokeKey, rotateKey } from "@/lib/auth/manage-keys";
import { getDb, selectRows } from "@/lib/db/client";
import { type Limits, type LimitedSubject } from "@/lib/domain/limits";
import { readLimitedSubjects } from "@/lib/db/queries/limit-state";
import { listEvents } from "@/lib/events/list-events";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { freezeLosers } from "@/lib/limits/freeze";
import { announceResolutions } from "@/lib/markets/announce-resolutions";
import { orderRow, readCashBalance } from "@/tests/support/exchange/ledger";
import { env } from "@/lib/env";
import { describeKey, lowerKeyLimits } from "@/lib/limits/describe-key";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { notional, price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  createBody,
  findPriceInside,
  freshMarket,
  getToken,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";
import { sql } from "drizzle-orm";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const HOUR = 60 * MINUTE;
const dollars = (whole: number) => usdc(BigInt(Math.round(whole * 1_000_000)));
const count = (whole: number) => shares(BigInt(whole) * 1_000_000n);

async function makeLimited(limits: Limits): Promise<TestUser> {
  const user = await makeUser();
  const { userId, keyId } = user.principal;
  await setLimits({ userId, subject: { scope: "key", keyId }, limits });
  return user;
}

/** Returns a market and a buy of so many shares that rests between the house's quotes. */
function restingBuy(size: number) {
  const market = freshMarket();
  const limit = findPriceInside(market)(0);
  const order = { market, action: "BUY", outcome: 0, limit, size: count(size) } as const;
  return { order, market, limit, cost: notional(count(size), limit, "up") };
}

const readStates = async (user: TestUser) => (await describeKey(user.principal)).limits;

async function countOrders(user: TestUser) {
  const [row] = await selectRows<{ placed: string; holds: string }>(
    await getDb(),
    sql`select count(*) filter (where status <> 'rejected')::text as placed,
      (select count(*)::text from ledger_transfers where order_id in
        (select id from orders as own where own.user_id = ${user.userId})) as holds
      from orders where user_id = ${user.userId}`,
  );
  return row;
}

describe("a key with a limit", () => {
  it("places an order that costs exactly perOrder, and refuses one that costs a micro-dollar more", async () => {
    const { order, cost } = restingBuy(10);
    const user = await makeLimited({ perOrder: cost });
    expect(await place(user, order)).toMatchObject({ status: "open" });
    const strict = await makeLimited({ perOrder: usdc(cost - 1n) });
    const refused = await place(strict, order);
    expect(refused).toMatchObject({ status: null, code: "RISK_LIMIT_EXCEEDED" });
    expect(refused.message).toContain("perOrder of this API key");
    expect(await countOrders(strict)).toEqual({ placed: "0", holds: "0" });
  });

  it("returns the same refusal for a repeated idempotency key, although the limit was raised", async () => {
    const { order } = restingBuy(10);
    const user = await makeLimited({ perOrder: usdc(1n) });
    const first = await place(user, { ...order, key: "bot-1" });
    const { userId, keyId } = user.principal;
    await setLimits({ userId, subject: { scope: "key", keyId }, limits: {} });
    expect(await place(user, { ...order, key: "bot-1" })).toEqual(first);
    expect(await place(user, { ...order, key: "bot-2" })).toMatchObject({ status: "open" });
  });

  it("gives back what a cancel frees", async () => {
    const { order, cost } = restingBuy(10);
    const user = await makeLimited({
      perDay: cost,
      total: cost,
      openExposure: cost,
      perMarket: cost,
    });
    const { orderId } = await place(user, order);
    expect(await readStates(user)).toMatchObject({
      perDay: { used: 0n, reserved: cost, remaining: 0n, resetsAt: null },
      total: { used: 0n, reserved: cost, remaining: 0n },
      openExposure: { used: 0n, reserved: cost, remaining: 0n },
      perMarket: { used: 0n, reserved: cost, remaining: 0n },
    });
    expect((await place(user, order)).code).toBe("RISK_LIMIT_EXCEEDED");
    await cancelOrder(user.principal, orderId);
    expect(await place(user, order)).toMatchObject({ status: "open" });
  });

  it("gives perDay back 24 hours after the trade, to the minute", async () => {
    const market = freshMarket();
    const user = await makeLimited({ perDay: dollars(20) });
    const buy = { market, action: "BUY", outcome: 0, amount: dollars(15) } as const;
    expect(await place(user, buy)).toMatchObject({ status: "filled" });
    const { perDay } = await readStates(user);
    expect(perDay?.resetsAt?.getTime()).toBe(clock.now + 24 * HOUR + MINUTE);
    expect((await place(user, buy)).code).toBe("RISK_LIMIT_EXCEEDED");
    clock.advance(24 * HOUR);
    expect((await place(user, buy)).code).toBe("RISK_LIMIT_EXCEEDED");
    clock.advance(MINUTE);
    expect(await place(user, buy)).toMatchObject({ status: "filled" });
  });

  it("counts an order that rested for days on the day on which it fills", async () => {
    const { order, market, limit, cost } = restingBuy(10);
    const user = await makeLimited({ perDay: cost });
    await place(user, order);
    clock.advance(30 * HOUR);
    const seller = await makeUser(dollars(1_000_000));
    const taken = { market, action: "BUY", outcome: 1, worst: price(1_000_000n - limit) } as const;
    await place(seller, { ...taken, size: count(100_000) });
    const { perDay } = await readStates(user);
    expect(perDay).toMatchObject({ reserved: 0n, remaining: 0n });
    expect(perDay?.used).toBe(cost);
  });

  it("never gives total back, and gives openExposure back when the shares are sold", async () => {
    const market = freshMarket();
    const user = await makeLimited({ total: dollars(100), openExposure: dollars(20) });
    const buy = { market, action: "BUY", outcome: 0, amount: dollars(15) } as const;
    await place(user, buy);
    const before = await readStates(user);
    expect(before.openExposure?.used).toBe(before.total?.used);
    expect((await place(user, buy)).message).toContain("openExposure");
    const held = (
      await selectRows<{ shares_micro: string }>(
        await getDb(),
        sql`select shares_micro::text from positions where user_id = ${user.userId}`,
      )
    )[0];
    const all = shares(BigInt(held?.shares_micro ?? 0));
    await place(user, { market, action: "SELL", outcome: 0, size: all });
    const after = await readStates(user);
    expect(after.openExposure).toMatchObject({ used: 0n, remaining: dollars(20) });
    expect(after.total?.used).toBe(before.total?.used);
  });

  it("counts a sale by another key first against what that key had bought", async () => {
    const market = freshMarket();
    const user = await makeLimited({ openExposure: dollars(50) });
    const other = { ...user, principal: { ...user.principal, keyId: null } } as unknown as TestUser;
    const buy = { market, action: "BUY", outcome: 0, size: count(10) } as const;
    await place(user, buy);
    await place(other, buy);
    const before = (await readStates(user)).openExposure?.used ?? 0n;
    await place(other, { market, action: "SELL", outcome: 0, size: count(10) });
    expect((await readStates(user)).openExposure?.used).toBe(before);
    await place(other, { market, action: "SELL", outcome: 0, size: count(10) });
    expect((await readStates(user)).openExposure?.used).toBe(0n);
  });

  it("limits each market by itself with perMarket", async () => {
    const both = [restingBuy(10), restingBuy(10)];
    const [cheap, dear] = both.toSorted((one, other) => Number(one.cost - other.cost));
    if (!cheap || !dear) throw new Error("there are two orders");
    const user = await makeLimited({ perMarket: dear.cost });
    expect(await place(user, dear.order)).toMatchObject({ status: "open" });
    expect(await place(user, cheap.order)).toMatchObject({ status: "open" });
    expect((await place(user, dear.order)).message).toContain("perMarket");
  });

  it("limits open orders, but not market orders, with maxOpenOrders", async () => {
    const { order, market } = restingBuy(10);
    const user = await makeLimited({ maxOpenOrders: 1 });
    const { orderId } = await place(user, order);
    expect((await place(user, order)).message).toContain("maxOpenOrders");
    const buy = { market, action: "BUY", outcome: 0, amount: dollars(5) } as const;
    expect(await place(user, buy)).toMatchObject({ status: "filled" });
    await cancelOrder(user.principal, orderId);
    expect(await place(user, order)).toMatchObject({ status: "open" });
  });

  it("limits accepted orders in any 60 seconds with ordersPerMinute", async () => {
    const { order } = restingBuy(10);
    const user = await makeLimited({ ordersPerMinute: 2 });
    await place(user, order);
    clock.advance(30_000);
    await place(user, order);
    expect((await place(user, order)).message).toContain("ordersPerMinute");
    clock.advance(30_000);
    expect(await place(user, order)).toMatchObject({ status: "open" });
    expect((await place(user, order)).code).toBe("RISK_LIMIT_EXCEEDED");
  });

  it.each([
    ["market:", (id: { id: string }) => `market:${id.id}`],
    ["event:", (id: { eventSlug: string }) => `event:${id.eventSlug}`],
    ["category:", (id: { category: string }) => `category:${id.category.toUpperCase()}`],
  ])("trades only where an entry with %s allows it", async (_kind, entry) => {
    const allowed = restingBuy(10);
    const user = await makeLimited({ markets: [entry(allowed.market)] });
    expect(await place(user, allowed.order)).toMatchObject({ status: "open" });
    const other = await makeLimited({ markets: ["market:elsewhere"] });
    expect((await place(other, allowed.order)).message).toContain("markets");
  });

  it("does only what its actions list", async () => {
    const { order } = restingBuy(10);
    const user = await makeLimited({ actions: ["BUY"] });
    const { orderId } = await place(user, order);
    expect((await place(user, { ...order, action: "SELL" })).message).toContain("actions");
    await expect(cancelOrder(user.principal, orderId)).rejects.toThrow("not CANCEL");
    await expect(cancelOrders(user.principal)).rejects.toThrow("not CANCEL");
    await expect(redeemPosition(user.principal, getToken(order.market, 0))).rejects.toThrow(
      "not REDEEM",
    );
    expect(await countOrders(user)).toMatchObject({ placed: "1" });
  });

  it("refuses a price too far from the middle of the book", async () => {
    const { order } = restingBuy(10);
    const user = await makeLimited({ maxDistanceFromMid: price(100_000n) });
    expect(await place(user, order)).toMatchObject({ status: "open" });
    const far = { ...order, limit: price(20_000n) };
    expect((await place(user, far)).message).toContain("from the middle of the book");
  });

  it("keeps its budget when it is rotated", async () => {
    const { order, cost } = restingBuy(10);
    const user = await makeLimited({ total: cost });
    await place(user, order);
    const { userId, keyId } = user.principal;
    const fresh = await rotateKey(userId, keyId, { overlapMs: 0 });
    const rotated = { ...user, principal: { ...user.principal, keyId: fresh.keyId } };
    expect(await readStates(rotated)).toMatchObject({ total: { reserved: cost, remaining: 0n } });
    expect((await place(rotated, order)).message).toContain("total");
  });

  it("can lower its limits, and cannot raise, remove or widen them", async () => {
    const user = await makeLimited({ perDay: dollars(10), actions: ["BUY"] });
    const lower = (limits: Limits) => lowerKeyLimits(user.principal, limits);
    expect((await lower({ perDay: dollars(5) })).limits.perDay?.limit).toBe(dollars(5));
    expect((await lower({ perOrder: dollars(1) })).limits.perOrder?.limit).toBe(dollars(1));
    await expect(lower({ perDay: dollars(6) })).rejects.toThrow("limits.perDay");
    await expect(lower({ actions: ["BUY", "SELL"] })).rejects.toThrow("limits.actions");
    expect(await readStates(user)).toMatchObject({
      perDay: { limit: dollars(5) },
      actions: { limit: ["BUY"] },
    });
  });
});

it("a change that changes nothing is no event", async () => {
  const user = await makeLimited({ perDay: dollars(10) });
  for (const limits of [{}, { perDay: dollars(10) }]) await lowerKeyLimits(user.principal, limits);
  const { events } = await listEvents(user.principal, { types: ["limits.changed"] });
  expect(events).toHaveLength(1);
});

describe("limits of the account and the user", () => {
  it.each([{ scope: "account", mode: "paper" }, { scope: "user" }] as const)(
    "hold for orders of every key and of the dashboard ($scope)",
    async (subject) => {
      const { order, cost } = restingBuy(10);
      const user = await makeUser();
      await setLimits({ userId: user.userId, subject, limits: { openExposure: cost } });
      await place(user, order);
      const session = { ...user, principal: { ...user.principal, keyId: null } };
      const refused = await place(session as unknown as TestUser, order);
      expect(refused.message).toContain(`openExposure of this ${subject.scope}`);
    },
  );

  it("refuse an order that is within the limits of its key", async () => {
    const { order, cost } = restingBuy(10);
    const user = await makeLimited({ perOrder: dollars(500) });
    const limits = { perOrder: usdc(cost - 1n) };
    await setLimits({ userId: user.userId, subject: { scope: "user" }, limits });
    expect((await place(user, order)).message).toContain("perOrder of this user");
    expect((await readStates(user)).perOrder).toMatchObject({ scope: "user" });
  });
});

describe("concurrent orders", () => {
  it.each([
    ["total", { total: dollars(12) }],
    ["perDay", { perDay: dollars(12) }],
    ["openExposure", { openExposure: dollars(12) }],
  ] as const)("together use %s up exactly, in different markets", async (name, limits) => {
    const { user, orders } = await placeAtOnce(limits);
    const state = (await readStates(user))[name];
    const cheapest = orders.reduce((low, { cost }) => (cost < low ? cost : low), dollars(100));
    expect(state?.reserved).toBeLessThanOrEqual(dollars(12));
    expect(state?.remaining).toBeLessThan(cheapest);
  });

  it.each(["maxOpenOrders", "ordersPerMinute"] as const)(
    "together use %s up exactly, in different markets",
    async (name) => {
      const { user, placed } = await placeAtOnce({ [name]: 7 });
      expect(placed.filter(({ status }) => status === "open")).toHaveLength(7);
      expect((await readStates(user))[name]).toMatchObject({ used: 7, remaining: 0 });
    },
  );
});

async function placeAtOnce(limits: Limits) {
  const orders = Array.from({ length: 6 }, () => restingBuy(10));
  const user = await makeLimited(limits);
  const placing = Array.from({ length: 30 }, (_, index) => orders[index % orders.length]).map(
    (one) => place(user, one?.order ?? restingBuy(10).order),
  );
  const placed = await Promise.all(placing);
  expect(placed.some(({ code }) => code === "RISK_LIMIT_EXCEEDED")).toBe(true);
  return { user, orders, placed };
}

describe("a preview", () => {
  it("says the same as the order that follows it", async () => {
    const { order, cost } = restingBuy(10);
    for (const limits of [
      { perOrder: usdc(cost - 1n) },
      { maxOpenOrders: 0 },
      { markets: [] },
      { actions: [] },
      { perDay: cost },
    ] as Limits[]) {
      const user = await makeLimited(limits);
      const { refusal } = await previewOrder(user.principal, createBody(order));
      const { code, message } = await place(user, order);
      expect(refusal?.code ?? null).toBe(code);
      if (refusal) expect(refusal.message).toBe(message);
    }
  });
});

describe("a user without limits", () => {
  it("has no subject, so that its orders read no usage", async () => {
    const user = await makeUser();
    const query = { ...user.principal, marketId: null, now: clock.now };
    const subjects: LimitedSubject[] = await readLimitedSubjects(await getDb(), query);
    expect(subjects).toEqual([]);
    expect(await readStates(user)).toEqual({});
  });
});

describe("dailyLoss", () => {
  /** Buys and sells at once, which loses the spread and two fees. */
  async function loseSpread(user: TestUser) {
    const market = freshMarket();
    const size = count(50);
    await place(user, { market, action: "BUY", outcome: 0, size });
    await place(user, { market, action: "SELL", outcome: 0, size });
  }

  it("counts what sales lost with their fees, and freezes the key once it is reached", async () => {
    const user = await makeLimited({ dailyLoss: dollars(0.5) });
    const { available: before } = await readCashBalance(user);
    await loseSpread(user);
    const lost = before - (await readCashBalance(user)).available;
    const { dailyLoss } = await readStates(user);
    expect(dailyLoss).toMatchObject({ used: lost, remaining: 0n });
    const refused = await place(user, restingBuy(10).order);
    expect(refused.message).toContain("its limit dailyLoss is $0.50");
    await freezeLosers();
    const { frozen } = await describeKey(user.principal);
    expect(frozen?.reason).toContain("its limit dailyLoss is $0.50");
    expect((await place(user, restingBuy(10).order)).code).toBe("TRADING_FROZEN");
  });

  it("cancels what rests when it is reached", async () => {
    const user = await makeLimited({ dailyLoss: dollars(0.5) });
    const { orderId } = await place(user, restingBuy(10).order);
    await loseSpread(user);
    await freezeLosers();
    expect(await orderRow(orderId)).toMatchObject({ status: "canceled", held: 0n });
  });

  it("leaves a key alone that lost less, or whose loss is a day old", async () => {
    const careful = await makeLimited({ dailyLoss: dollars(500) });
    await loseSpread(careful);
    await freezeLosers();
    expect((await describeKey(careful.principal)).frozen).toBeNull();
    const former = await makeLimited({ dailyLoss: dollars(0.5) });
    await loseSpread(former);
    clock.advance(25 * HOUR);
    await freezeLosers();
    expect((await describeKey(former.principal)).frozen).toBeNull();
  });

  it("freezes a loser although another one was revoked", async () => {
    const [revoked, other] = [
      await makeLimited({ dailyLoss: dollars(0.5) }),
      await makeLimited({ dailyLoss: dollars(0.5) }),
    ];
    await loseSpread(revoked);
    await loseSpread(other);
    await revokeKey(revoked.userId, revoked.principal.keyId);
    await freezeLosers();
    expect((await describeKey(other.principal)).frozen).not.toBeNull();
  });

  it("counts a lost market at its resolution, and a won one as a gain", async () => {
    const market = freshMarket({ closesWithin: 30 * 24 * HOUR });
    const user = await makeLimited({ dailyLoss: dollars(500), openExposure: dollars(500) });
    for (const outcome of [0, 1] as const) {
      await place(user, { market, action: "BUY", outcome, size: count(50) });
    }
    const paid = (await readStates(user)).openExposure?.used ?? 0n;
    clock.set(market.resolvesAt + MINUTE);
    await announceResolutions();
    const { dailyLoss, openExposure } = await readStates(user);
    // A pair of shares pays one dollar, whichever outcome wins.
    expect(dailyLoss?.used).toBe(paid - dollars(50));
    expect(openExposure?.used).toBe(0n);
  });
});

describe("DEFAULT_LIMITS", () => {
  afterEach(() => {
    delete env().DEFAULT_LIMITS;
  });

  it("hold for a user without limits from the operator, and not for one with them", async () => {
    const { order, cost } = restingBuy(10);
    const [plain, own] = [await makeUser(), await makeUser()];
    const limits = { perOrder: dollars(500) };
    await setLimits({ userId: own.userId, subject: { scope: "user" }, limits });
    Object.assign(env(), { DEFAULT_LIMITS: { perOrder: usdc(cost - 1n) } });
    expect((await place(plain, order)).message).toContain("perOrder of this user");
    expect((await readStates(plain)).perOrder).toMatchObject({ scope: "user" });
    expect(await place(own, order)).toMatchObject({ status: "open" });
  });
});
