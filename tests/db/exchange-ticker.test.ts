import { eq, inArray, sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { computeMaxTakerFee } from "@/lib/domain/fees";
import { getDatabase, getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { notional, ONE, type Price, price, type Shares, shares, usdc } from "@/lib/units";
import { computeHouseLevels } from "@/lib/exchange/simulated-house-quotes";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  houseBest,
  findPriceInside,
  MINUTE,
  place,
  REPRICE,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  readOrderEvents,
  readFills,
  readOrderMoney,
  orderRow,
  readLedger,
  readTotals,
} from "@/tests/support/exchange/ledger";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const DAY = 24 * 60 * MINUTE;
const DELAY = 3_000;
const count = (whole: number): Shares => shares(BigInt(whole) * 1_000_000n);
const toComplement = (at: bigint): Price => price(ONE - at);

const filled = async (id: string) => (await orderRow(id)).filledShares;

/** Finds the first instant within an hour at which the house's best quote reaches a price. */
function findQuoted(market: PaperMarket, side: "bid" | "ask", at: Price): number | null {
  const from = Math.floor(clock.now / REPRICE) * REPRICE;
  for (let instant = from; instant < from + 60 * MINUTE; instant += REPRICE) {
    const best = houseBest(market, side, instant);
    if (best !== null && (side === "ask" ? best <= at : best >= at)) return instant;
  }
  return null;
}

/** Finds a market in which a quote soon reaches the inside price, and the instant. */
function reachedMarket(side: "bid" | "ask", index: number, depth?: "thin") {
  const found = (market: PaperMarket) => findQuoted(market, side, findPriceInside(market)(index));
  const options = { inside: 4, where: (market: PaperMarket) => found(market) !== null };
  const market = freshMarket(depth === undefined ? options : { ...options, depth });
  return { market, at: findPriceInside(market)(index), reached: found(market) ?? 0 };
}

describe("resting orders and the house's quotes", () => {
  it.each([
    ["BUY", 0, "ask"],
    ["BUY", 1, "bid"],
  ] as const)(
    "%s of outcome %i fills at its own limit when a quote reaches it, and not before",
    async (action, outcome, side) => {
      const { market, at, reached } = reachedMarket(side, side === "ask" ? 3 : 0);
      const user = await makeUser();
      const limit = outcome === 0 ? at : toComplement(at);
      expect(reached).toBeGreaterThan(clock.now);
      const order = { market, action, outcome, limit, size: count(8) } as const;
      const { orderId, status } = await place(user, order);
      expect(status).toBe("open");

      clock.set(reached - 1);
      const before = await readTotals();
      await tick();
      expect(await readTotals()).toEqual(before);
      clock.set(reached);
      expect(await tick()).toBe(1);
      const quoted = houseBest(market, side, reached) ?? 0n;
      expect(side === "ask" ? quoted <= at : quoted >= at).toBe(true);
      expect(await readFills(orderId)).toMatchObject([
        { price: limit, shares: count(8), role: "maker", fee: 0n, settlement: "mint" },
      ]);
      expect(await readOrderEvents(orderId)).toEqual(["received", "opened", "matched", "filled"]);
    },
  );

  it.each([
    ["ask", 0, 2, 3],
    ["bid", 1, 1, 0],
  ] as const)(
    "a quote that has passed an order fills it at the order's limit (%s)",
    async (side, outcome, past, own) => {
      const { market, at: quoted, reached } = reachedMarket(side, past);
      const [user, at] = [await makeUser(), findPriceInside(market)(own)];
      const limit = outcome === 0 ? at : toComplement(at);
      const order = { market, action: "BUY", outcome, limit, size: count(8) } as const;
      const { orderId } = await place(user, order);
      clock.set(reached);
      const best = houseBest(market, side, reached) ?? 0n;
      expect(side === "ask" ? best <= quoted && quoted < at : best >= quoted && quoted > at).toBe(
        true,
      );
      await tick();
      expect(await readFills(orderId)).toMatchObject([{ price: limit, shares: count(8), fee: 0n }]);
      expect((await orderRow(orderId)).filledNotional).toBe(notional(count(8), limit, "down"));
    },
  );

  it.each([0, 1])(
    "a market that cannot be settled does not delay the others (%i)",
    async (stuckIndex) => {
      const user = await makeUser();
      const placed: string[] = [];
      for (const market of [freshMarket(), freshMarket()]) {
        const [limit, size] = [findPriceInside(market)(1), count(8)];
        placed.push(
          (await place(user, { market, action: "BUY", outcome: 0, limit, size })).orderId,
        );
      }
      const db = await getDb();
      const stuck = eq(orders.id, placed[stuckIndex] ?? "");
      // The order holds more than the account's held balance, so its release fails.
      const hold = (more: bigint) =>
        db
          .update(orders)
          .set({ held: sql`${orders.held} + ${more}` })
          .where(stuck);
      const statuses = () => Promise.all(placed.map(async (id) => (await orderRow(id)).status));
      await db
        .update(orders)
        .set({ expiresAt: new Date(clock.now) })
        .where(inArray(orders.id, placed));
      await hold(1_000_000_000_000n);
      await tick();
      expect((await statuses()).toSorted()).toEqual(["expired", "open"]);
      expect((await statuses())[stuckIndex]).toBe("open");
      await hold(-1_000_000_000_000n);
      await tick();
      expect(await statuses()).toEqual(["expired", "expired"]);
    },
  );

  it("a resting sell is filled by the house's bid and delivers its shares", async () => {
    const { market, at: limit, reached } = reachedMarket("bid", 1);
    const user = await makeUser();
    await place(user, { market, action: "BUY", outcome: 0, size: count(40) });
    const order = { market, action: "SELL", outcome: 0, limit, size: count(8) } as const;
    const { orderId } = await place(user, order);
    clock.set(reached);
    await tick();
    expect(await readFills(orderId)).toMatchObject([
      { price: limit, shares: count(8), role: "maker", fee: 0n, settlement: "complementary" },
    ]);
  });

  it("takes at most the house's displayed size, and continues in a later liquidity epoch", async () => {
    const { market, at: limit, reached } = reachedMarket("ask", 3, "thin");
    const [user, size] = [await makeUser(), count(500)];
    const { orderId } = await place(user, { market, action: "BUY", outcome: 0, limit, size });
    const shown = () =>
      computeHouseLevels(market, clock.now)
        .filter((level) => level.side === "ask" && level.price <= limit)
        .reduce((sum, level) => sum + level.size, 0n);
    clock.set(reached);
    await tick();
    const first = (await orderRow(orderId)).filledShares;
    expect(first).toBe(shown());
    expect(first).toBeLessThan(size);
    await tick();
    expect((await orderRow(orderId)).filledShares).toBe(first);
    clock.set((Math.floor(clock.now / MINUTE) + 1) * MINUTE);
    clock.set(findQuoted(market, "ask", limit) ?? 0);
    const more = shown();
    await tick();
    expect((await orderRow(orderId)).filledShares).toBe(first + more);
  });

  it("the better price fills first, then the older order, when quotes do not suffice", async () => {
    const { market, reached } = reachedMarket("ask", 1);
    const [at, rich] = [findPriceInside(market), usdc(100_000_000_000n)];
    const buy = { market, action: "BUY", outcome: 0, size: count(50_000) } as const;
    const low = await place(await makeUser(rich), { ...buy, limit: at(1) });
    const early = await place(await makeUser(rich), { ...buy, limit: at(3) });
    const late = await place(await makeUser(rich), { ...buy, limit: at(3) });
    clock.set(reached);
    await tick();
    expect(await filled(early.orderId)).toBeGreaterThan(0n);
    expect([await filled(late.orderId), await filled(low.orderId)]).toEqual([0n, 0n]);
  });

  it("concurrent ticks of several processes fill once", async () => {
    const { market, at: limit, reached } = reachedMarket("ask", 3);
    const user = await makeUser();
    const order = { market, action: "BUY", outcome: 0, limit, size: count(8) } as const;
    const { orderId } = await place(user, order);
    clock.set(reached);
    await Promise.all([tick(), tick(), tick()]);
    expect(await readFills(orderId)).toHaveLength(1);
    const [ledger, totals] = [await readLedger(), await readTotals()];
    expect(await tick()).toBe(0);
    expect([await readLedger(), await readTotals()]).toEqual([ledger, totals]);
  });

  it("a tick without live orders settles no market", async () => {
    const [market, user] = [freshMarket(), await makeUser()];
    await place(user, { market, action: "BUY", outcome: 0, size: count(10) });
    const before = await readTotals();
    clock.advance(DAY);
    expect(await tick()).toBe(0);
    expect(await readTotals()).toEqual(before);
  });
});

describe("a delayed order", () => {
  it("matches after three seconds, and holds cost and maximum fee until then", async () => {
    const [market, user] = [freshMarket(), await makeUser()];
    const at = findPriceInside(market)(1);
    const no = { market, action: "BUY", outcome: 1, limit: toComplement(at) } as const;
    await place(await makeUser(), { ...no, size: count(50) });
    const buy = { market, action: "BUY", outcome: 0, limit: at, size: count(20) } as const;
    const { orderId, status } = await place(user, buy, "delayed");
    expect(status).toBe("delayed");
    const cost = notional(count(20), at, "up");
    const hold = cost + computeMaxTakerFee(count(20), at, market.feeRate);
    expect((await orderRow(orderId)).held).toBe(hold);

    clock.advance(DELAY - 1);
    await tick();
    expect(await readFills(orderId)).toEqual([]);
    clock.advance(1);
    await tick();
    expect(await readFills(orderId)).toMatchObject([{ role: "taker", price: at }]);
    expect(await readOrderEvents(orderId)).toEqual(["received", "delayed", "matched", "filled"]);
    const money = await readOrderMoney(orderId);
    expect(money.spent + money.released).toBe(hold);
  });

  it("is listed as an open order", async () => {
    const [market, user] = [freshMarket(), await makeUser()];
    const limit = findPriceInside(market)(1);
    const buy = { market, action: "BUY", outcome: 0, limit, size: count(20) } as const;
    const { orderId } = await place(user, buy, "delayed");
    const { orders: listed } = await listOpenOrders(user.principal, {});
    expect(listed).toMatchObject([{ id: orderId, status: "open", price: limit }]);
  });

  it("rests with its unfilled remainder", async () => {
    const [market, user] = [freshMarket(), await makeUser()];
    const limit = findPriceInside(market)(1);
    const buy = { market, action: "BUY", outcome: 0, limit, size: count(20) } as const;
    const { orderId } = await place(user, buy, "delayed");
    clock.advance(DELAY);
    await tick();
    expect(await orderRow(orderId)).toMatchObject({
      status: "open",
      held: notional(count(20), limit, "up"),
    });
  });

  it("matches the book at the end of its delay, not a maker that was canceled before", async () => {
    const [market, user, maker] = [freshMarket(), await makeUser(), await makeUser()];
    const at = findPriceInside(market)(1);
    const no = { market, action: "BUY", outcome: 1, limit: toComplement(at) } as const;
    const left = await place(maker, { ...no, size: count(50) });
    const buy = { market, action: "BUY", outcome: 0, worst: at, size: count(20) } as const;
    const { orderId } = await place(user, buy, "delayed");
    await cancelOrder(maker.principal, left.orderId);
    clock.advance(DELAY);
    await tick();
    expect(await orderRow(orderId)).toMatchObject({
      status: "canceled",
      filledShares: 0n,
      held: 0n,
    });
    expect(await readOrderEvents(orderId)).toEqual(["received", "delayed", "canceled:not_filled"]);
  });

  it("that is canceled during its delay never matches", async () => {
    const [market, user] = [freshMarket(), await makeUser()];
    const { orderId } = await place(
      user,
      { market, action: "BUY", outcome: 0, size: count(20) },
      "delayed",
    );
    clock.advance(DELAY - 1);
    expect(await cancelOrder(user.principal, orderId)).toMatchObject({ status: "canceled" });
    clock.advance(DAY);
    await tick();
    const money = await readOrderMoney(orderId);
    expect(money).toMatchObject({ spent: 0n, held: 0n, released: money.original });
    expect(await readFills(orderId)).toEqual([]);
  });

  it("that is due is matched before a newer order", async () => {
    const [market, user, later] = [freshMarket(), await makeUser(), await makeUser()];
    const at = findPriceInside(market)(1);
    const no = { market, action: "BUY", outcome: 1, limit: toComplement(at) } as const;
    await place(await makeUser(), { ...no, size: count(20) });
    const buy = { market, action: "BUY", outcome: 0, limit: at, size: count(20) } as const;
    const delayed = await place(user, buy, "delayed");
    clock.advance(DELAY);
    const second = await place(later, buy);
    expect((await orderRow(delayed.orderId)).status).toBe("filled");
    expect(second.status).toBe("open");
  });

  it("never exceeds its amount when the book has changed", async () => {
    const [market, user] = [freshMarket(), await makeUser()];
    const amount = usdc(25_000_000n);
    const options = { market, action: "BUY", outcome: 0, amount } as const;
    const { orderId } = await place(user, options, "delayed");
    clock.advance(DELAY);
    await tick();
    const row = await orderRow(orderId);
    expect(row.status).toBe("filled");
    expect(row.filledNotional).toBeLessThanOrEqual(amount);
    expect(row.held).toBe(0n);
  });

  it("survives a restart, because its state is in the database", async () => {
    const [market, user] = [freshMarket(), await makeUser()];
    const { orderId } = await place(
      user,
      { market, action: "BUY", outcome: 0, size: count(20) },
      "delayed",
    );
    const database = await getDatabase();
    // Loads every module again, like a new process on the same database.
    vi.resetModules();
    const restarted = {
      clock: await import("@/lib/clock"),
      client: await import("@/lib/db/client"),
      ticker: await import("@/lib/exchange/ticker"),
    };
    expect(restarted.ticker.tick).not.toBe(tick);
    restarted.client.useDatabase(database);
    restarted.clock.setClock(() => clock.now + DELAY);
    expect(await restarted.ticker.tick()).toBe(1);
    expect((await orderRow(orderId)).status).toBe("filled");
  });
});
