import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { computeTakerFee } from "@/lib/domain/fees";
import { Acknowledgement } from "@/lib/schemas/orders";
import { OrderBook } from "@/lib/schemas/markets";
import { microToNumber, price, type Price, usdc } from "@/lib/units";
import { tick } from "@/lib/exchange/ticker";
import { callApi } from "@/tests/support/api/call-api";
import { readData, place, placeAndRead, read, readOrder } from "@/tests/support/api/client";
import {
  loadMarkets,
  MINUTE_MS,
  orderFor,
  readQuotes,
  type TestMarket,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { readWealth } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let other: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  other = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const readBook = (market: TestMarket) =>
  read(OrderBook, `/v1/markets/${market.id}/book`, user.apiKey);
const number = microToNumber;
const total = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);
/** A price inside the house's spread, with only users' orders. */
const inside = (market: TestMarket): Price => price(readQuotes(market).bid + readTick(market));
const filled = async (of: TestUser, id: string) => (await readOrder(of.apiKey, id)).filledShares;
const readCash = async (of: TestUser) => (await readWealth(of.apiKey)).balance.balanceBaseUnit;

describe("200: the acknowledgement", () => {
  it("has the key, a message, the order id and status, and the order's location", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "mine" });
    const answer = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
    const ack = readData(Acknowledgement, answer);
    expect(ack).toMatchObject({ idempotencyKey: "mine", status: "open" });
    expect(ack.message).toMatch(/^Order accepted/);
    expect(answer.headers.get("location")).toBe(`/v1/orders/${ack.orderId}`);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    expect(await readOrder(user.apiKey, ack.orderId)).toMatchObject({ id: ack.orderId });
  });

  it("without an idempotencyKey has a generated key, new for each order", async () => {
    const [one, two] = [
      await place(user.apiKey, orderFor(markets.free)),
      await place(user.apiKey, orderFor(markets.free)),
    ];
    expect(one.idempotencyKey).toMatch(/^auto_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(two.idempotencyKey).not.toBe(one.idempotencyKey);
    expect(two.orderId).not.toBe(one.orderId);
    expect((await readOrder(user.apiKey, one.orderId)).idempotencyKey).toBe(one.idempotencyKey);
  });

  it("a key with only the scope trade is sufficient", async () => {
    const trader = await makeUser(undefined, ["trade"]);
    expect((await place(trader.apiKey, orderFor(markets.free))).status).toBe("open");
  });
});

describe("200: market orders", () => {
  it("a buy by amount spends at most the amount, at the best prices of the book", async () => {
    const { asks } = await readBook(markets.free);
    const [best, next] = asks;
    if (!best || !next) throw new Error("the book has two asks");
    const amount = (best.shares * best.price) / 1_000_000n + 10_000_000n;
    const rounded = amount - (amount % 10_000n);
    const body = orderFor(markets.free, { orderType: "market", amount: number(rounded) });
    const record = await placeAndRead(user.apiKey, body);
    expect(record.fills.map((fill) => fill.price)).toEqual([best.price, next.price]);
    expect(record.fills[0]?.shares).toBe(best.shares);
    const spent = total(record.fills.map((fill) => fill.amount));
    expect(spent).toBeLessThanOrEqual(rounded);
    // The remaining cash is too little for another hundredth of a share.
    expect(((rounded - spent) * 1_000_000n) / next.price).toBeLessThan(10_000n);
    expect(record).toMatchObject({
      status: "filled",
      type: "market",
      price: null,
      shares: null,
      amount: rounded,
      remainingShares: null,
      filledShares: total(record.fills.map((fill) => fill.shares)),
    });
    expect(record.avgFillPrice).toBe((spent * 1_000_000n) / record.filledShares);
  });

  it("a buy by shares buys exactly these", async () => {
    const body = orderFor(markets.free, { orderType: "market", shares: 7.25 });
    const record = await placeAndRead(user.apiKey, body);
    expect(record).toMatchObject({
      status: "filled",
      shares: 7_250_000n,
      amount: null,
      filledShares: 7_250_000n,
      remainingShares: 0n,
    });
  });

  it("a sell fills at the best bid and pays immediately", async () => {
    await place(user.apiKey, orderFor(markets.taxed, { orderType: "market", shares: 20 }));
    const before = await readCash(user);
    const { bids } = await readBook(markets.taxed);
    const body = orderFor(markets.taxed, { orderType: "market", action: "SELL", shares: 20 });
    const record = await placeAndRead(user.apiKey, body);
    expect(record).toMatchObject({ status: "filled", filledShares: 20_000_000n, side: "YES" });
    expect(record.avgFillPrice).toBe(bids[0]?.price);
    const received = total(record.fills.map((fill) => fill.amount)) - record.fee;
    expect(await readCash(user)).toBe(before + received);
  });

  it("the second token is bought and sold at one minus the first token's prices", async () => {
    const { bid, ask } = readQuotes(markets.taxed);
    const tokenId = markets.taxed.outcomes[1].tokenId;
    const order = { tokenId, orderType: "market", shares: 10 };
    const bought = await placeAndRead(user.apiKey, orderFor(markets.taxed, order));
    expect(bought).toMatchObject({ side: "NO", tokenId, avgFillPrice: 1_000_000n - bid });
    const sell = orderFor(markets.taxed, { ...order, action: "SELL" });
    expect((await placeAndRead(user.apiKey, sell)).avgFillPrice).toBe(1_000_000n - ask);
  });

  it("a taker pays shares x rate x p x (1 - p), truncated to five decimals, on each fill", async () => {
    const body = orderFor(markets.taxed, { orderType: "market", amount: 123.45 });
    const before = await readCash(user);
    const record = await placeAndRead(user.apiKey, body);
    const { feeRate } = markets.taxed;
    for (const { shares, price: at, fee } of record.fills) {
      const exact = (shares * at * (1_000_000n - at) * feeRate) / 10n ** 18n;
      expect(fee).toBe(exact - (exact % 10n));
      expect(fee).toBe(computeTakerFee(shares, at, feeRate));
    }
    expect(record.fee).toBe(total(record.fills.map((fill) => fill.fee)));
    const paid = total(record.fills.map((fill) => fill.amount)) + record.fee;
    expect(await readCash(user)).toBe(before - paid);
  });

  it("no fill is worse than the worst price, and the remainder is canceled", async () => {
    const { asks } = await readBook(markets.free);
    const worst = asks[2]?.price ?? price(0n);
    const reachable = asks.filter((level) => level.price <= worst);
    const size = total(reachable.map((level) => level.shares));
    const before = await readWealth(other.apiKey);
    const body = { orderType: "market", shares: number(size + 10_000_000n), price: number(worst) };
    const record = await placeAndRead(other.apiKey, orderFor(markets.free, body));
    expect(record).toMatchObject({ status: "canceled", price: worst, filledShares: size });
    expect(record.fills.map((fill) => fill.price)).toEqual(reachable.map((level) => level.price));
    expect(record.events.map((event) => event.type)).toEqual([
      "received",
      ...reachable.map(() => "matched"),
      "canceled",
    ]);
    const after = await readWealth(other.apiKey);
    expect(after.open.orders).toEqual([]);
    const paid = total(record.fills.map((fill) => fill.amount));
    expect(after.balance.balanceBaseUnit).toBe(before.balance.balanceBaseUnit - paid);
  });

  it("an order without a price fills at most 0.05 from the best price, in either direction", async () => {
    clock.advance(MINUTE_MS);
    const { asks, bids } = await readBook(markets.free);
    const [first, second] = markets.free.outcomes;
    // Buying the second token takes the same side of the book as selling the first.
    for (const [levels, tokenId, toOwn] of [
      [asks, first.tokenId, (at: bigint) => at],
      [bids, second.tokenId, (at: bigint) => 1_000_000n - at],
    ] as const) {
      const rich = await makeUser(usdc(100_000_000_000n));
      const limit = toOwn(levels[0]?.price ?? 0n) + 50_000n;
      const reachable = levels.filter((level) => toOwn(level.price) <= limit);
      expect(reachable.length).toBeLessThan(levels.length);
      const size = total(reachable.map((level) => level.shares));
      const shares = number(size + 10_000_000n);
      const body = orderFor(markets.free, { tokenId, orderType: "market", shares });
      const record = await placeAndRead(rich.apiKey, body);
      expect(record).toMatchObject({ status: "canceled", price: null, filledShares: size });
      expect(record.fills.at(-1)?.price).toBe(toOwn(reachable.at(-1)?.price ?? 0n));
    }
  });

  it("bought shares are missing in the book until the house replenishes it", async () => {
    clock.advance(MINUTE_MS);
    const [best] = (await readBook(markets.free)).asks;
    if (!best) throw new Error("the book has an ask");
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", shares: 5 }));
    const [after] = (await readBook(markets.free)).asks;
    expect(after).toEqual({ price: best.price, shares: best.shares - 5_000_000n });
    clock.advance(MINUTE_MS);
    const later = (await readBook(markets.free)).asks;
    expect(total(later.map((level) => level.shares))).toBeGreaterThan(0n);
  });
});

describe("200: limit orders", () => {
  it("an order without a match stays open, reserves its cost and pays no fee", async () => {
    const before = await readWealth(user.apiKey);
    const body = orderFor(markets.taxed, { price: 0.1, shares: 12.34 });
    const record = await placeAndRead(user.apiKey, body);
    expect(record).toMatchObject({
      status: "open",
      type: "limit",
      price: 100_000n,
      shares: 12_340_000n,
      amount: null,
      filledShares: 0n,
      remainingShares: 12_340_000n,
      avgFillPrice: null,
      fee: 0n,
    });
    expect(record.events.map((event) => event.type)).toEqual(["received", "opened"]);
    const after = await readWealth(user.apiKey);
    expect(after.balance).toEqual(before.balance);
    expect(after.open.orders[0]).toMatchObject({ id: record.id, shares: 12_340_000n });
  });

  it.each([
    [5, 0.37, 13_510_000n],
    [5, 0.25, 20_000_000n],
    [5.000001, 0.25, 20_000_000n],
    [4.999999, 0.25, 19_990_000n],
    [3.333333, 0.07, 47_610_000n],
  ])("a buy for %s USDC at %s is converted to hundredths of shares", async (amount, at, shares) => {
    const body = orderFor(markets.taxed, { price: at, amount });
    const record = await placeAndRead(user.apiKey, body);
    expect(record).toMatchObject({ shares, amount: BigInt(Math.round(amount * 1_000_000)) });
  });

  it("the crossing part fills at the makers' prices, and the rest stays open at the limit", async () => {
    clock.advance(MINUTE_MS);
    const { asks } = await readBook(markets.free);
    const [best, next] = asks;
    if (!best || !next) throw new Error("the book has two asks");
    const size = best.shares + next.shares + 10_000_000n;
    const body = orderFor(markets.free, { price: number(next.price), shares: number(size) });
    const rich = await makeUser();
    const answer = await place(rich.apiKey, body);
    expect(answer.message).toMatch(/The rest is open/);
    const record = await readOrder(rich.apiKey, answer.orderId);
    expect(record).toMatchObject({ status: "open", remainingShares: 10_000_000n });
    expect(record.fills.map((fill) => [fill.price, fill.shares, fill.role])).toEqual([
      [best.price, best.shares, "taker"],
      [next.price, next.shares, "taker"],
    ]);
    const { bids } = await readBook(markets.free);
    expect(bids[0]).toEqual({ price: next.price, shares: 10_000_000n });
    const { open } = await readWealth(rich.apiKey);
    expect(open.orders).toMatchObject([{ id: record.id, shares: size, status: "open" }]);
  });

  it("an order that crosses completely fills at better prices than its limit", async () => {
    clock.advance(MINUTE_MS);
    const [best] = (await readBook(markets.taxed)).asks;
    const record = await placeAndRead(
      user.apiKey,
      orderFor(markets.taxed, { price: 0.9, shares: 10 }),
    );
    expect(record).toMatchObject({ status: "filled", price: 900_000n, avgFillPrice: best?.price });
  });
});

describe("200: orders of different users", () => {
  // The quotes have moved with the clock since.
  beforeEach(async () => {
    markets = await loadMarkets(user.apiKey);
  });

  it("an open order fills in parts as maker, at its own price and without a fee", async () => {
    const [maker, taker] = [await makeUser(), await makeUser()];
    const { taxed } = markets;
    const at = inside(taxed);
    const resting = await place(maker.apiKey, orderFor(taxed, { price: number(at), shares: 30 }));
    await place(taker.apiKey, orderFor(taxed, { orderType: "market", shares: 30 }));
    for (const shares of [12.5, 17.5]) {
      const body = orderFor(taxed, { orderType: "market", action: "SELL", shares });
      const sold = await placeAndRead(taker.apiKey, body);
      expect(sold.fills).toMatchObject([{ role: "taker", price: at }]);
      expect(sold.fee).toBeGreaterThan(0n);
      const half = await readOrder(maker.apiKey, resting.orderId);
      expect(half.status).toBe(shares === 12.5 ? "open" : "filled");
    }
    const record = await readOrder(maker.apiKey, resting.orderId);
    expect(record.fills.map((fill) => [fill.role, fill.price, fill.shares, fill.fee])).toEqual([
      ["maker", at, 12_500_000n, 0n],
      ["maker", at, 17_500_000n, 0n],
    ]);
    expect(record.fee).toBe(0n);
    const { balance } = await readWealth(maker.apiKey);
    expect(balance.balanceBaseUnit).toBe(1_000_000_000n - at * 30n);
  });

  it("buys of both outcomes that add up to a dollar create new shares", async () => {
    const [yes, no] = [await makeUser(), await makeUser()];
    const { taxed } = markets;
    const at = inside(taxed);
    const resting = await place(yes.apiKey, orderFor(taxed, { price: number(at), shares: 10 }));
    const tokenId = taxed.outcomes[1].tokenId;
    const taken = await placeAndRead(
      no.apiKey,
      orderFor(taxed, { tokenId, price: number(1_000_000n - at), shares: 10 }),
    );
    expect(taken).toMatchObject({ status: "filled", avgFillPrice: 1_000_000n - at });
    const made = await readOrder(yes.apiKey, resting.orderId);
    expect(made).toMatchObject({ status: "filled", avgFillPrice: at });
    expect((made.fills[0]?.amount ?? 0n) + (taken.fills[0]?.amount ?? 0n)).toBe(10_000_000n);
    expect(made.fills[0]?.tradeId).toBe(taken.fills[0]?.tradeId);
  });

  it("orders at the same price fill in time priority", async () => {
    const [first, second, taker] = [await makeUser(), await makeUser(), await makeUser()];
    const { taxed } = markets;
    const at = inside(taxed);
    const body = orderFor(taxed, { price: number(at), shares: 10 });
    const [one, two] = [await place(first.apiKey, body), await place(second.apiKey, body)];
    const better = await place(
      second.apiKey,
      orderFor(taxed, { price: number(at + readTick(taxed)), shares: 5 }),
    );
    const tokenId = taxed.outcomes[1].tokenId;
    await place(
      taker.apiKey,
      orderFor(taxed, { tokenId, price: number(1_000_000n - at), shares: 18 }),
    );
    expect(await filled(second, better.orderId)).toBe(5_000_000n);
    expect(await filled(first, one.orderId)).toBe(10_000_000n);
    expect(await filled(second, two.orderId)).toBe(3_000_000n);
    await callApi("DELETE", `/v1/orders/${two.orderId}`, { key: second.apiKey });
  });

  it("an order never trades with the user's own order, which is canceled", async () => {
    const alone = await makeUser();
    const { taxed } = markets;
    const at = inside(taxed);
    const own = await place(alone.apiKey, orderFor(taxed, { price: number(at), shares: 10 }));
    const tokenId = taxed.outcomes[1].tokenId;
    const body = { tokenId, price: number(1_000_000n - at), shares: 10 };
    const record = await placeAndRead(alone.apiKey, orderFor(taxed, body));
    expect(record).toMatchObject({ status: "open", fills: [] });
    const former = await readOrder(alone.apiKey, own.orderId);
    expect(former).toMatchObject({ status: "canceled", fills: [] });
    expect(former.events.at(-1)?.detail).toEqual({ reason: "self_trade_prevention" });
    await callApi("DELETE", "/v1/orders", { key: alone.apiKey });
  });

  it("an open order fills at its limit once the house's quotes reach it", async () => {
    const patient = await makeUser();
    // Long enough for its price to move by a tick, however calm it is.
    const market = markets.all.find(({ closesAt, feeRate, outcomes: [{ bestBid, bestAsk }] }) => {
      const daysLeft = (closesAt.getTime() - clock.now()) / (24 * 60 * MINUTE_MS);
      const isInside = bestBid !== null && bestAsk !== null && bestBid > 100_000n;
      return isInside && bestAsk < 900_000n && feeRate > 0n && daysLeft > 20 && daysLeft < 90;
    });
    if (!market) throw new Error("the catalogue has no such market");
    const [best] = (await readBook(market)).asks;
    const at = price((best?.price ?? 0n) - readTick(market));
    const body = orderFor(market, { price: number(at), shares: 10 });
    const resting = await place(patient.apiKey, body);
    let record = await readOrder(patient.apiKey, resting.orderId);
    for (let step = 0; step < 90 && record.status === "open"; step += 1) {
      clock.advance(5 * 60 * MINUTE_MS);
      await tick();
      record = await readOrder(patient.apiKey, resting.orderId);
    }
    expect(record).toMatchObject({ status: "filled", fee: 0n, avgFillPrice: at });
    expect(record.fills.every((fill) => fill.role === "maker" && fill.price === at)).toBe(true);
  });
});
