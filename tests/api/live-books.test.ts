import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setClock } from "@/lib/clock";
import { computeTakerFee } from "@/lib/domain/fees";
import { env } from "@/lib/env";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { Balance, Portfolio } from "@/lib/schemas/account";
import { MarketList, OrderBook, PriceHistory } from "@/lib/schemas/markets";
import { OpenOrders, OrderPreview } from "@/lib/schemas/orders";
import { type Price, price, shares } from "@/lib/units";
import { tick } from "@/lib/exchange/ticker";
import { callApi } from "@/tests/support/api/call-api";
import {
  cancel,
  readData,
  readError,
  place,
  placeAndRead,
  read,
  readOrder,
} from "@/tests/support/api/client";
import { expectRefusal, expectRejection, expectUnchanged } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { type LiveMarket, useLiveBooks } from "@/tests/support/polymarket/live-books";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";
import { makeUser, type TestUser } from "@/tests/support/users";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const venue = useLiveBooks();
useFreshDatabase();

let at = Date.UTC(2026, 10, 21, 12);
let restore = () => {};
let user: TestUser;
let other: TestUser;

beforeAll(async () => {
  restore = setClock(() => at);
  [user, other] = [await makeUser(), await makeUser()];
});
// Expires everything that a former test has cached.
beforeEach(() => {
  at += 10 * MINUTE;
});
afterAll(async () => {
  const { problems } = await verifyBooks();
  restore();
  expect(problems).toEqual([]);
});

const SPREAD = {
  bids: [
    { price: "0.40", size: "500" },
    { price: "0.48", size: "30" },
  ],
  asks: [
    { price: "0.60", size: "500" },
    { price: "0.52", size: "40" },
    { price: "0.50", size: "20.005" },
  ],
};

const buy = (market: LiveMarket, fields: Record<string, unknown> = {}) => ({
  tokenId: market.first,
  action: "BUY",
  orderType: "market",
  ...fields,
});
const limitBuy = (market: LiveMarket, fields: Record<string, unknown> = {}) =>
  buy(market, { orderType: "limit", price: 0.45, shares: 10, ...fields });
const post = (body: unknown, key = user.apiKey) => callApi("POST", "/v1/orders", { key, body });
const readBook = (market: LiveMarket) =>
  read(OrderBook, `/v1/markets/${market.id}/book`, user.apiKey);
const cash = async () => (await read(Balance, "/v1/account/balance", user.apiKey)).balanceUsdc;
const positionIn = async (market: LiveMarket) =>
  (await read(Portfolio, "/v1/positions", user.apiKey)).positions.find(
    ({ conditionId }) => conditionId === market.id,
  );
const pay = (market: LiveMarket, token: string = market.first) =>
  callApi("POST", `/v1/positions/${token}/redeem`, { key: user.apiKey });

describe("the catalogue", () => {
  it("has Polymarket's names, tokens, ticks, fees and quotes", async () => {
    const market = venue.add({ tick: 0.005, feeRate: 0.07, isNegRisk: true, ...SPREAD });
    const { markets } = await read(MarketList, "/v1/markets?limit=1000", user.apiKey);
    const listed = markets.find(({ id }) => id === market.id);
    expect(listed).toMatchObject({
      slug: market.slug,
      status: "open",
      category: "crypto",
      tickSize: "0.005",
      feeRate: 70_000n,
      negativeRisk: true,
    });
    expect(listed?.outcomes.map(({ tokenId }) => tokenId)).toEqual([market.first, market.second]);
    expect(listed?.outcomes[0]).toMatchObject({ bestBid: 480_000n, bestAsk: 500_000n });
    // The built-in catalogue is not listed.
    expect(markets.every(({ slug }) => slug.startsWith("live-market-"))).toBe(true);
  });

  it("has the book in whole lots and the venue's price history", async () => {
    const market = venue.add(SPREAD);
    venue.setHistory(market, [{ t: at / SECOND - 600, p: 0.47 }]);
    const { asks, bids } = await readBook(market);
    expect(asks.map(({ price: of, shares: size }) => [of, size])).toEqual([
      [500_000n, 20_000_000n],
      [520_000n, 40_000_000n],
      [600_000n, 500_000_000n],
    ]);
    expect(bids[0]).toEqual({ price: 480_000n, shares: 30_000_000n });
    const path = `/v1/markets/${market.id}/history?interval=1h`;
    const { points } = await read(PriceHistory, path, user.apiKey);
    expect(points).toEqual([{ at: new Date(at - 10 * MINUTE), price: 470_000n }]);
  });
});

describe("a market order", () => {
  it("fills level by level at the book's prices and pays the taker fee", async () => {
    const market = venue.add({ feeRate: 0.05, ...SPREAD });
    const before = await cash();
    const order = await placeAndRead(user.apiKey, buy(market, { shares: 50, price: 0.55 }));
    expect(order).toMatchObject({ status: "filled", filledShares: 50_000_000n });
    const fills = order.fills.map(({ price: of, shares: size }) => [of, size]);
    expect(fills).toEqual([
      [500_000n, 20_000_000n],
      [520_000n, 30_000_000n],
    ]);
    const fee =
      computeTakerFee(shares(20_000_000n), price(500_000n), 50_000n) +
      computeTakerFee(shares(30_000_000n), price(520_000n), 50_000n);
    expect(order.fee).toBe(fee);
    expect(await cash()).toBe(before - 25_600_000n - fee);
  });

  it("fills as its preview says", async () => {
    const market = venue.add({ feeRate: 0.05, ...SPREAD });
    const body = buy(market, { amount: 20 });
    const answer = await callApi("POST", "/v1/orders/preview", { key: user.apiKey, body });
    const preview = readData(OrderPreview, answer);
    const order = await placeAndRead(user.apiKey, body);
    expect(order.filledShares).toBe(preview.shares);
    expect(order.fee).toBe(preview.fee);
    expect(order.avgFillPrice).toBe(preview.avgPrice);
  });

  it("of the second token matches the mirrored bids of the first token", async () => {
    const market = venue.add(SPREAD);
    const body = { ...buy(market, { shares: 30 }), tokenId: market.second };
    const order = await placeAndRead(user.apiKey, body);
    expect(order).toMatchObject({ status: "filled", avgFillPrice: 520_000n });
  });

  it("is rejected with NO_LIQUIDITY on an empty book", async () => {
    const market = venue.add();
    await expectRejection(user, { code: "NO_LIQUIDITY" }, () => post(buy(market, { amount: 5 })));
  });

  it("fills at the prices of every recorded book of Polymarket", async () => {
    const books = readRecorded<{ book: Recorded }[]>("clob/books.json").map(({ book }) => book);
    const quoted = books.filter(({ bids, asks }) => bids.length > 0 && asks.length > 0);
    expect(quoted.length).toBeGreaterThan(25);
    const rich = await makeUser();
    for (const { bids, asks, tick_size } of quoted) {
      const market = venue.add({ bids, asks, tick: Number(tick_size ?? "0.001") });
      const best = asks.at(-1);
      const body = buy(market, { shares: 5, price: Number(best?.price) });
      const [size, of] = [micro(best?.size ?? "0"), micro(best?.price ?? "0")];
      expect(size).toBeGreaterThanOrEqual(5_000_000n);
      if (5_000_000n * of < 1_000_000_000_000n) continue;
      const order = await placeAndRead(rich.apiKey, body);
      expect(order).toMatchObject({ status: "filled", avgFillPrice: of });
    }
  });
});

interface Recorded {
  bids: { price: string; size: string }[];
  asks: { price: string; size: string }[];
  tick_size?: string;
}

const micro = (text: string) => BigInt(Math.round(Number(text) * 1_000_000));

describe("displayed shares", () => {
  const ask = { asks: [{ price: "0.50", size: "20" }] };
  const takeAll = (market: LiveMarket) =>
    buy(market, { shares: 20, price: 0.5, idempotencyKey: `all-${market.id}` });
  /** Returns the number of shares at the best ask. */
  const offered = async (market: LiveMarket) => (await readBook(market)).asks[0]?.shares ?? 0n;

  it("are sold to only one of two concurrent orders", async () => {
    const market = venue.add(ask);
    const both = await Promise.all([
      post(takeAll(market), user.apiKey),
      post(takeAll(market), other.apiKey),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const refused = both.find(({ status }) => status === 400);
    expect(refused && readError(refused).code).toBe("NO_LIQUIDITY");
    expect(await offered(market)).toBe(0n);
  });

  it("stay sold while the book is unchanged, however often it is read", async () => {
    const market = venue.add();
    venue.quote(market, ask, at - MINUTE);
    await place(user.apiKey, takeAll(market));
    at += 30 * MINUTE;
    expect(await offered(market)).toBe(0n);
    const order = buy(market, { amount: 5 });
    await expectRejection(user, { code: "NO_LIQUIDITY" }, () => post(order));
    venue.quote(market, ask, at);
    at += 2 * SECOND;
    expect(await offered(market)).toBe(20_000_000n);
  });

  it("stay sold for a minute when the book changes, and new shares are offered", async () => {
    const market = venue.add(ask);
    await place(user.apiKey, takeAll(market));
    at += 2 * SECOND;
    venue.quote(market, { asks: [{ price: "0.50", size: "27" }] }, at);
    expect(await offered(market)).toBe(7_000_000n);
    at += 50 * SECOND;
    venue.quote(market, { asks: [{ price: "0.50", size: "27" }] }, at);
    expect(await offered(market)).toBe(7_000_000n);
    at += 10 * SECOND;
    expect(await offered(market)).toBe(27_000_000n);
  });
});

describe("a limit order", () => {
  it("stays open and fills at its limit when the venue's quotes reach it", async () => {
    const market = venue.add({ feeRate: 0.05, ...SPREAD });
    const { orderId } = await place(user.apiKey, limitBuy(market, { shares: 60 }));
    expect((await readBook(market)).bids.map((level) => level.price)).toEqual([
      480_000n,
      450_000n,
      400_000n,
    ]);
    at += 2 * SECOND;
    venue.quote(market, { asks: [{ price: "0.46", size: "90" }] }, at);
    await tick();
    expect(await readOrder(user.apiKey, orderId)).toMatchObject({ filledShares: 0n });

    at += 2 * SECOND;
    const through = { bids: [], asks: [{ price: "0.44", size: "25" }] };
    venue.quote(market, through, at);
    await tick();
    const part = await readOrder(user.apiKey, orderId);
    expect(part).toMatchObject({ status: "open", filledShares: 25_000_000n, fee: 0n });
    expect(part.fills[0]?.price).toBe(450_000n);
    // An unchanged book adds no liquidity.
    at += 2 * SECOND;
    await tick();
    expect((await readOrder(user.apiKey, orderId)).filledShares).toBe(25_000_000n);

    at += 2 * SECOND;
    venue.quote(market, { asks: [{ price: "0.43", size: "90" }] }, at);
    await tick();
    const whole = await readOrder(user.apiKey, orderId);
    expect(whole).toMatchObject({ status: "filled", filledShares: 60_000_000n });
  });

  it("matches another user's order before the venue's quotes of the same price", async () => {
    const market = venue.add(SPREAD);
    const resting = await place(other.apiKey, limitBuy(market, { price: 0.48 }));
    await place(user.apiKey, buy(market, { shares: 20 }));
    const sold = await placeAndRead(user.apiKey, {
      tokenId: market.first,
      action: "SELL",
      orderType: "market",
      shares: 15,
    });
    expect(sold).toMatchObject({ status: "filled", avgFillPrice: 480_000n });
    expect(await readOrder(other.apiKey, resting.orderId)).toMatchObject({ status: "filled" });
    expect((await readBook(market)).bids[0]?.shares).toBe(25_000_000n);
  });

  it("is canceled and released when the venue closes the market, not when it pauses it", async () => {
    const market = venue.add(SPREAD);
    const before = await cash();
    const { orderId } = await place(user.apiKey, limitBuy(market));
    venue.pause(market);
    at += MINUTE;
    await tick();
    expect((await readOrder(user.apiKey, orderId)).status).toBe("open");
    const call = () => post(limitBuy(market));
    await expectRefusal({ code: "MARKET_CLOSED", message: "takes no orders now" }, call);
    venue.close(market);
    at += MINUTE;
    await tick();
    const ended = await readOrder(user.apiKey, orderId);
    expect(ended.status).toBe("canceled");
    expect(ended.events.at(-1)?.detail).toEqual({ reason: "market_closed" });
    expect(await cash()).toBe(before);
  });
});

describe("while the venue does not respond", () => {
  it("a placement returns 502 and creates, reserves and claims nothing", async () => {
    const market = venue.add(SPREAD);
    const body = buy(market, { amount: 5, idempotencyKey: "in-the-dark" });
    // The market is cached, but its book has expired.
    await readBook(market);
    at += 6 * SECOND;
    venue.isDown = true;
    await expectRefusal({ code: "UPSTREAM_UNAVAILABLE" }, () => post(body));
    // Positions are not valued at outdated prices.
    await expectUnchanged(async () => {
      for (const path of ["/v1/positions", `/v1/markets/${market.id}/book`, "/v1/orders/preview"]) {
        const isPreview = path.endsWith("preview");
        const request = { key: user.apiKey, ...(isPreview ? { body } : {}) };
        const answer = await callApi(isPreview ? "POST" : "GET", path, request);
        expect([path, answer.status, readError(answer).code]).toEqual([
          path,
          502,
          "UPSTREAM_UNAVAILABLE",
        ]);
      }
    });
    venue.isDown = false;
    expect(await place(user.apiKey, body)).toMatchObject({ status: "filled" });
  });

  it("a used key is replayed, orders can be read and canceled, and nothing fills", async () => {
    const market = venue.add(SPREAD);
    const before = await cash();
    const body = limitBuy(market, { idempotencyKey: "before-the-dark" });
    const first = await post(body);
    venue.quote(market, { asks: [{ price: "0.44", size: "90" }] }, at);
    venue.isDown = true;
    at += 20 * MINUTE;
    const again = await post(body);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    await expectUnchanged(async () => void (await tick()));
    const { orders } = await read(OpenOrders, "/v1/orders/open", user.apiKey);
    const [order] = orders.filter(({ marketId }) => marketId === market.id);
    expect(await cancel(user.apiKey, order?.id ?? "")).toMatchObject({ filledShares: 0n });
    expect(await cash()).toBe(before);
  });
});

describe("a resolved market", () => {
  async function hold(): Promise<LiveMarket> {
    const market = venue.add({ asks: [{ price: "0.50", size: "100" }] });
    await place(user.apiKey, buy(market, { shares: 10 }));
    return market;
  }

  async function readPayout(payouts: readonly [string, string]): Promise<Price | bigint> {
    const market = await hold();
    const before = await cash();
    const early = { code: "ORDER_REJECTED", message: "isn't resolved" } as const;
    await expectRefusal(early, () => pay(market));
    venue.close(market);
    at += 6 * MINUTE;
    await expectRefusal(early, () => pay(market));
    venue.resolve(market, payouts);
    at += 6 * MINUTE;
    const held = await positionIn(market);
    expect(held).toMatchObject({ redeemable: true, value: held && held.currentPrice * 10n });
    const answer = await pay(market);
    expect(answer.status).toBe(200);
    const nothing = { code: "INSUFFICIENT_SHARES" } as const;
    await expectRefusal(nothing, () => pay(market));
    return (await cash()) - before;
  }

  it("pays a dollar for each winning share, once", async () => {
    expect(await readPayout(["1", "0"])).toBe(10_000_000n);
  });

  it("pays nothing to the loser", async () => {
    expect(await readPayout(["0", "1"])).toBe(0n);
  });

  it("pays half to both outcomes if neither won", async () => {
    expect(await readPayout(["0.5", "0.5"])).toBe(5_000_000n);
  });

  it("pays nothing while its prices name no result", async () => {
    const market = await hold();
    venue.resolve(market, ["0.3", "0.7"]);
    at += 6 * MINUTE;
    const waiting = { code: "ORDER_REJECTED", message: "isn't resolved" } as const;
    await expectRefusal(waiting, () => pay(market));
  });
});

describe("a restart", () => {
  it("keeps orders, positions and taken liquidity", async () => {
    const market = venue.add();
    venue.quote(market, { asks: [{ price: "0.50", size: "20" }] }, at - MINUTE);
    await place(user.apiKey, buy(market, { shares: 12, price: 0.5 }));
    const { orderId } = await place(user.apiKey, limitBuy(market));
    at += 20 * MINUTE;
    // Expires every cache, so that everything is read again.
    expect((await readBook(market)).asks).toEqual([{ price: 500_000n, shares: 8_000_000n }]);
    expect(await positionIn(market)).toMatchObject({ shares: 12_000_000n });
    venue.quote(market, { asks: [{ price: "0.45", size: "20" }] }, at);
    at += 2 * SECOND;
    await tick();
    expect((await readOrder(user.apiKey, orderId)).status).toBe("filled");
  });
});

describe("switching the source", () => {
  const simulated = async (work: () => Promise<void>) => {
    env().MARKET_DATA = "simulated";
    await work().finally(() => {
      env().MARKET_DATA = "polymarket";
    });
  };

  it("keeps the positions of both sources", async () => {
    const market = venue.add(SPREAD);
    await place(user.apiKey, buy(market, { shares: 20 }));
    const { orderId } = await place(user.apiKey, limitBuy(market));
    let invented = "";
    await simulated(async () => {
      // Polymarket's market takes no orders meanwhile.
      expect(await positionIn(market)).toMatchObject({ currentPrice: 500_000n, redeemable: false });
      await expectRefusal({ code: "MARKET_NOT_FOUND" }, () => post(limitBuy(market)));
      await expectUnchanged(async () => void (await tick()));
      expect((await cancel(user.apiKey, orderId)).status).toBe("canceled");
      const { markets } = await read(MarketList, "/v1/markets?limit=1", user.apiKey);
      invented = markets[0]?.outcomes[0].tokenId ?? "";
      await place(user.apiKey, { ...buy(market, { shares: 5 }), tokenId: invented });
    });
    // A simulated market with open positions still trades, so that users can sell.
    at += MINUTE;
    const sell = { tokenId: invented, action: "SELL", orderType: "market", shares: 5 };
    expect(await placeAndRead(user.apiKey, sell)).toMatchObject({ status: "filled" });
    expect(await positionIn(market)).toMatchObject({ shares: 20_000_000n });
  });
});
