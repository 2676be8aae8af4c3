import { afterEach, describe, expect, it } from "vitest";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { previewOrder } from "@/lib/orders/preview-order";
import { add, notional, ONE, type Price, price, type Shares, shares, usdc } from "@/lib/units";
import { paperVenue } from "@/lib/exchange";
import { computeHouseLevels, LIQUIDITY_EPOCH_MS } from "@/lib/exchange/simulated-house-quotes";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  createBody,
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
  readTotals,
} from "@/tests/support/exchange/ledger";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const count = (whole: number): Shares => shares(BigInt(whole) * 1_000_000n);
const toComplement = (at: bigint): Price => price(ONE - at);

/** Returns the house's displayed levels of one side, best first, as [price, size]. */
async function displayed(market: PaperMarket, side: "bid" | "ask"): Promise<[Price, Shares][]> {
  const { house } = await paperVenue.getBook(market);
  return house
    .filter((level) => level.side === side)
    .map((level): [Price, Shares] => [level.price, level.size])
    .toSorted(([a], [b]) => (a < b === (side === "ask") ? -1 : 1));
}

function ladder(market: PaperMarket, side: "bid" | "ask"): [Price, Shares][] {
  return computeHouseLevels(market, clock.now)
    .filter((level) => level.side === side)
    .map((level): [Price, Shares] => [level.price, level.size]);
}

async function readFilled(ids: readonly string[]): Promise<bigint[]> {
  const rows = await Promise.all(ids.map(orderRow));
  return rows.map((row) => row.filledShares);
}

describe("priority between users", () => {
  it("the better price trades first, then the older order, for orders of either token", async () => {
    const market = freshMarket();
    const [at, taker] = [findPriceInside(market), await makeUser()];
    const [ada, bob, cyd] = [await makeUser(), await makeUser(), await makeUser()];
    // Asks: a SELL of YES and BUYs of NO, not sorted by price.
    await place(bob, { market, action: "BUY", outcome: 0, limit: at(0), size: count(30) });
    await place(ada, {
      market,
      action: "BUY",
      outcome: 1,
      limit: toComplement(at(0)),
      size: count(30),
    });
    const no = { market, action: "BUY", outcome: 1 } as const;
    const worse = await place(ada, { ...no, limit: toComplement(at(3)), size: count(10) });
    const early = await place(bob, {
      market,
      action: "SELL",
      outcome: 0,
      limit: at(2),
      size: count(10),
    });
    const late = await place(cyd, { ...no, limit: toComplement(at(2)), size: count(10) });
    const best = await place(ada, { ...no, limit: toComplement(at(1)), size: count(10) });
    const inOrder = [best, early, late, worse].map((placed) => placed.orderId);

    const sweep = { market, action: "BUY", outcome: 0, limit: at(3) } as const;
    await place(taker, { ...sweep, size: count(15) });
    expect(await readFilled(inOrder)).toEqual([count(10), count(5), 0n, 0n]);
    const last = await place(taker, { ...sweep, size: count(20) });
    expect(await readFilled(inOrder)).toEqual([count(10), count(10), count(10), count(5)]);
    expect((await readFills(last.orderId)).map((fill) => fill.price)).toEqual([
      at(2),
      at(2),
      at(3),
    ]);
  });

  it("a partly filled order keeps its time priority", async () => {
    const market = freshMarket();
    const [at, taker] = [findPriceInside(market), await makeUser()];
    const no = { market, action: "BUY", outcome: 1, limit: toComplement(at(1)) } as const;
    const first = await place(await makeUser(), { ...no, size: count(20) });
    const second = await place(await makeUser(), { ...no, size: count(20) });
    const buy = { market, action: "BUY", outcome: 0, limit: at(1) } as const;
    await place(taker, { ...buy, size: count(10) });
    await place(taker, { ...buy, size: count(15) });
    expect(await readFilled([first.orderId, second.orderId])).toEqual([count(20), count(5)]);
  });
});

describe("users and the house", () => {
  it.each(["BUY", "SELL"] as const)(
    "at one price a user's order fills before the house's (%s)",
    async (action) => {
      const market = freshMarket();
      const side = action === "BUY" ? "ask" : "bid";
      const [[at, size] = [price(0n), shares(0n)]] = await displayed(market, side);
      const [maker, taker] = [await makeUser(), await makeUser()];
      const asks = { market, action: "BUY", outcome: 1, limit: toComplement(at) } as const;
      const bids = { market, action: "BUY", outcome: 0, limit: at } as const;
      if (action === "SELL") {
        const inside = findPriceInside(market)(0);
        await place(taker, { market, action: "BUY", outcome: 0, limit: inside, size: count(30) });
        await place(maker, { ...asks, limit: toComplement(inside), size: count(30) });
      }
      const resting = await place(maker, { ...(side === "ask" ? asks : bids), size: count(20) });
      expect(resting.status).toBe("open");
      const taken = await place(taker, { market, action, outcome: 0, worst: at, size: count(30) });
      expect(await readFilled([resting.orderId, taken.orderId])).toEqual([count(20), count(30)]);
      expect((await displayed(market, side))[0]).toEqual([at, size - count(10)]);
    },
  );

  it("a market order without a worst price fills up to 0.05 beyond the best price", async () => {
    const market = freshMarket({ depth: "thin" });
    const user = await makeUser();
    const asks = ladder(market, "ask");
    const best = asks[0]?.[0] ?? ONE;
    const reachable = asks.filter(([at]) => at <= best + 50_000n);
    expect(reachable.length).toBeLessThan(asks.length);
    const depth = reachable.reduce((sum, [, size]) => add(sum, size), shares(0n));
    const order = { market, action: "BUY", outcome: 0 } as const;
    const taken = await place(user, { ...order, size: add(depth, count(50)) });
    expect(taken.status).toBe("canceled");
    expect((await orderRow(taken.orderId)).filledShares).toBe(depth);
    expect((await displayed(market, "ask"))[0]).toEqual(asks[reachable.length]);
  });

  it("users' orders trade first also when a sweep just before a market order moves its worst price", async () => {
    const market = freshMarket({ depth: "normal" });
    const { sweptAt, bid } = findSweepOfBestAsk(market);
    const [sweeper, seller] = [await makeUser(), await makeUser()];
    const taker = await makeUser(usdc(100_000_000_000n));
    // The sweeper's bid will consume the best quote; the seller's ask is 0.05 above it.
    clock.set(sweptAt);
    const quotes = ladder(market, "ask");
    const [gone, next] = [quotes[0], quotes[1]];
    if (!gone || !next) throw new Error("the house quotes two prices");
    clock.set(bid.placedAt);
    await place(sweeper, { market, action: "BUY", outcome: 0, limit: bid.at, size: gone[1] });
    const above = price(next[0] + 50_000n - ((next[0] + 50_000n) % market.tick));
    expect(above).toBeGreaterThan(gone[0] + 50_000n);
    const ask = { market, action: "BUY", outcome: 1, limit: toComplement(above) } as const;
    const resting = await place(seller, { ...ask, size: count(5) });
    expect(resting.status).toBe("open");

    clock.set(sweptAt);
    const depth = quotes
      .slice(1)
      .filter(([at]) => at < above)
      .reduce((sum, [, size]) => add(sum, size), shares(0n));
    const order = { market, action: "BUY", outcome: 0, size: add(depth, count(5)) } as const;
    const preview = await previewOrder(taker.principal, createBody(order));
    expect(preview).toMatchObject({ refusal: null, shares: order.size, worstPrice: above });
    const taken = await place(taker, order);
    expect((await orderRow(taken.orderId)).filledShares).toBe(order.size);
    expect((await orderRow(resting.orderId)).status).toBe("filled");
  });
});

/**
 * Finds the first instant at which the house's best ask has come down to a bid, and
 * the bid's price. The next quote is still above the bid.
 */
function findSweepOfBestAsk(market: PaperMarket) {
  const placedAt = clock.now;
  const end = Math.min(market.closesAt, placedAt + 30 * 24 * 60 * MINUTE);
  for (let sweptAt = placedAt + REPRICE; sweptAt < end; sweptAt += REPRICE) {
    const before = houseBest(market, "ask", placedAt) ?? ONE;
    const after = houseBest(market, "ask", sweptAt);
    const sizes = computeHouseLevels(market, sweptAt).filter((level) => level.side === "ask");
    const cost = notional(sizes[0]?.size ?? shares(0n), price(after ?? ONE), "up");
    if (after !== null && after < before && cost < 900_000_000n) {
      return { sweptAt, bid: { at: after, placedAt } };
    }
  }
  throw new Error("the best ask comes down some time");
}

describe("self-trade", () => {
  it("is prevented: the resting order is canceled, and the newer one trades with others", async () => {
    const market = freshMarket();
    const [at, self, other] = [findPriceInside(market), await makeUser(), await makeUser()];
    const no = { market, action: "BUY", outcome: 1 } as const;
    const own = await place(self, { ...no, limit: toComplement(at(0)), size: count(10) });
    const theirs = await place(other, { ...no, limit: toComplement(at(1)), size: count(10) });
    const buy = { market, action: "BUY", outcome: 0, limit: at(2), size: count(15) } as const;
    const taken = await place(self, buy);
    expect(taken.status).toBe("open");
    expect(await readOrderEvents(own.orderId)).toEqual([
      "received",
      "opened",
      "canceled:self_trade_prevention",
    ]);
    expect(await readFilled([own.orderId, theirs.orderId, taken.orderId])).toEqual([
      0n,
      count(10),
      count(10),
    ]);
    const money = await readOrderMoney(own.orderId);
    expect(money).toMatchObject({ spent: 0n, held: 0n, released: money.original });
  });

  it("prevention keeps own orders that the newer one does not reach", async () => {
    const market = freshMarket();
    const [at, self] = [findPriceInside(market), await makeUser()];
    const no = { market, action: "BUY", outcome: 1 } as const;
    const far = await place(self, { ...no, limit: toComplement(at(3)), size: count(10) });
    await place(self, { market, action: "BUY", outcome: 0, limit: at(2), size: count(10) });
    expect((await orderRow(far.orderId)).status).toBe("open");
  });

  it("does not happen for an order that crosses only its owner's orders", async () => {
    const market = freshMarket();
    const [at, self] = [findPriceInside(market), await makeUser()];
    const no = { market, action: "BUY", outcome: 1 } as const;
    const own = await place(self, { ...no, limit: toComplement(at(0)), size: count(10) });
    const before = await readTotals();
    const buy = { market, action: "BUY", outcome: 0, size: count(10) } as const;
    const refused = await place(self, { ...buy, worst: at(0) });
    expect(refused.code).toBe("NO_LIQUIDITY");
    expect(await readTotals()).toEqual(before);
    expect((await orderRow(own.orderId)).status).toBe("open");
  });
});

describe("house quotes", () => {
  it("lose the taken size in the book, level by level", async () => {
    const market = freshMarket({ depth: "thin" });
    const user = await makeUser();
    const [first, second, third] = await displayed(market, "ask");
    if (!first || !second) throw new Error("the house quotes two prices");
    const buy = { market, action: "BUY", outcome: 0 } as const;
    await place(user, { ...buy, size: count(10), worst: first[0] });
    expect((await displayed(market, "ask"))[0]).toEqual([first[0], first[1] - count(10)]);
    const rest = shares(first[1] - count(10) + count(3));
    await place(await makeUser(), { ...buy, size: rest, worst: second[0] });
    expect((await displayed(market, "ask")).slice(0, 2)).toEqual([
      [second[0], second[1] - count(3)],
      third,
    ]);
  });

  it("fill at most the displayed size per price in one liquidity epoch", async () => {
    const market = freshMarket({ depth: "thin" });
    const [[at, size] = [price(0n), shares(0n)]] = ladder(market, "ask");
    const buy = { market, action: "BUY", outcome: 0, worst: at } as const;
    const greedy = await place(await makeUser(), { ...buy, size: add(size, count(100)) });
    expect((await orderRow(greedy.orderId)).filledShares).toBe(size);
    const refused = await place(await makeUser(), { ...buy, size: count(5) });
    expect(refused.code).toBe("NO_LIQUIDITY");
    clock.advance(REPRICE - 1);
    const again = await place(await makeUser(), { ...buy, size: count(5) });
    expect(again.code).toBe("NO_LIQUIDITY");
  });

  it("are replenished at the start of the next liquidity epoch, not a millisecond before", async () => {
    const market = freshMarket({ depth: "thin" });
    const epochEnds = (Math.floor(clock.now / LIQUIDITY_EPOCH_MS) + 1) * LIQUIDITY_EPOCH_MS;
    clock.set(epochEnds - 1);
    const [[at, size] = [price(0n), shares(0n)], second] = ladder(market, "ask");
    const user = await makeUser();
    await place(user, { market, action: "BUY", outcome: 0, worst: at, size });
    expect((await displayed(market, "ask"))[0]).toEqual(second);
    clock.set(epochEnds);
    expect(await displayed(market, "ask")).toEqual(ladder(market, "ask"));
  });
});
