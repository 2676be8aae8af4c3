import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { Balance, Portfolio, type Position } from "@/lib/schemas/account";
import { MarketDetail, OrderBook } from "@/lib/schemas/markets";
import { FillList, OrderList } from "@/lib/schemas/orders";
import { deposit } from "@/lib/accounts/deposit";
import { microToNumber, usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { place, read, readOrder } from "@/tests/support/api/client";
import {
  loadMarkets,
  MINUTE_MS,
  orderFor,
  readQuotes,
  readTick,
  type TestMarket,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

const DEPOSIT = 1_000_000_000n;

let markets: TestMarkets;

beforeAll(async () => {
  markets = await loadMarkets((await makeUser()).apiKey);
});

const readPortfolio = (user: TestUser) => read(Portfolio, "/v1/positions", user.apiKey);
const buy = (user: TestUser, market: TestMarket, fields: Record<string, unknown>) =>
  place(user.apiKey, orderFor(market, { orderType: "market", ...fields }));

interface Holding {
  shares: bigint;
  cost: bigint;
}

/** Computes shares and average cost of every token from the fills of the order records. */
async function holdingsFromRecords(user: TestUser): Promise<Map<string, Holding>> {
  const { orders } = await read(OrderList, "/v1/orders?limit=1000", user.apiKey);
  const records = await Promise.all(orders.map((order) => readOrder(user.apiKey, order.id)));
  const fills = records
    .flatMap(({ tokenId, action, fills: made }) =>
      made.map((fill) => ({ tokenId, action, ...fill })),
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const holdings = new Map<string, Holding>();
  for (const { tokenId, action, shares, amount } of fills) {
    const held = holdings.get(tokenId) ?? { shares: 0n, cost: 0n };
    if (action === "BUY") {
      held.shares += shares;
      held.cost += amount;
    } else {
      held.cost -= (held.cost * shares) / held.shares;
      held.shares -= shares;
    }
    holdings.set(tokenId, held);
  }
  return holdings;
}

/** Asserts that a portfolio matches its owner's order records and the book, to the base unit. */
async function expectExact(user: TestUser, deposits: bigint) {
  const portfolio = await readPortfolio(user);
  const holdings = await holdingsFromRecords(user);
  const held = [...holdings].filter(([, { shares }]) => shares > 0n);
  expect(portfolio.positions.map((position) => position.id).toSorted()).toEqual(
    held.map(([tokenId]) => tokenId).toSorted(),
  );
  for (const position of portfolio.positions) {
    const { shares, cost } = holdings.get(position.id) ?? { shares: 0n, cost: 0n };
    const value = (shares * position.currentPrice) / 1_000_000n;
    expect(position).toMatchObject({
      shares,
      avgPrice: (cost * 1_000_000n) / shares,
      value,
      pnl: value - cost,
      pnlPercent: ((value - cost) * 100_000_000n) / cost,
    });
    expect(position.currentPrice).toBe(await readMark(user, position));
  }
  const { balanceUsdc } = await read(Balance, "/v1/account/balance", user.apiKey);
  const worth = portfolio.positions.reduce((sum, position) => sum + position.value, 0n);
  expect(portfolio.balanceUsdc).toBe(balanceUsdc);
  expect(portfolio.portfolioValue).toBe(balanceUsdc + worth);
  const { totalPnl, realizedPnl, unrealizedPnl, fees } = portfolio;
  expect(totalPnl).toBe(portfolio.portfolioValue - deposits);
  expect(unrealizedPnl).toBe(portfolio.positions.reduce((sum, { pnl }) => sum + pnl, 0n));
  if (realizedPnl === null || fees === null) throw new Error("paper tells the parts of a profit");
  expect(totalPnl).toBe(realizedPnl + unrealizedPnl - fees);
  const trades = (await read(FillList, "/v1/fills?limit=1000", user.apiKey)).fills;
  expect(fees).toBe(trades.reduce((sum, { fee }) => sum + fee, 0n));
  return portfolio;
}

/** Returns the midpoint of the token's book if its spread is at most 0.10. */
async function readMark(user: TestUser, { id, conditionId }: z.output<typeof Position>) {
  const book = await read(OrderBook, `/v1/markets/${conditionId}/book?tokenId=${id}`, user.apiKey);
  const [bid, ask] = [book.bids[0]?.price, book.asks[0]?.price];
  if (bid === undefined || ask === undefined || ask - bid > 100_000n) {
    throw new Error("the test trades markets with narrow books");
  }
  return (bid + ask) / 2n;
}

describe("200", () => {
  it("a new account has its deposit and nothing else", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    expect(await readPortfolio(user)).toEqual({
      balanceUsdc: DEPOSIT,
      portfolioValue: DEPOSIT,
      totalPnl: 0n,
      realizedPnl: 0n,
      unrealizedPnl: 0n,
      fees: 0n,
      positions: [],
    });
  });

  it("a position has every documented field", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    const { free } = markets;
    await buy(user, free, { shares: 10 });
    const { bid, ask } = readQuotes(free);
    const answer = await callApi("GET", "/v1/positions", { key: user.apiKey });
    const { positions } = answer.body.data as unknown as { positions: unknown[] };
    const [cost, value] = [ask * 10n, ((bid + ask) / 2n) * 10n];
    expect(positions).toEqual([
      {
        id: free.outcomes[0].tokenId,
        conditionId: free.id,
        marketTitle: free.title,
        marketSlug: free.slug,
        iconUrl: free.iconUrl,
        outcome: free.outcomes[0].name,
        shares: 10,
        avgPrice: microToNumber(ask),
        currentPrice: microToNumber((bid + ask) / 2n),
        value: microToNumber(value),
        pnl: microToNumber(value - cost),
        pnlPercent: microToNumber(((value - cost) * 100_000_000n) / cost),
        negativeRisk: false,
        redeemable: false,
      },
    ]);
  });

  it("both outcomes of one market are two positions, whose prices add up to a dollar", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    await buy(user, markets.taxed, { shares: 10 });
    await buy(user, markets.taxed, { tokenId: markets.taxed.outcomes[1].tokenId, shares: 7 });
    const { positions } = await expectExact(user, DEPOSIT);
    expect(positions.map((position) => position.outcome).toSorted()).toEqual(
      markets.taxed.outcomes.map((outcome) => outcome.name).toSorted(),
    );
    const [one, two] = positions.map((position) => position.currentPrice);
    expect((one ?? 0n) + (two ?? 0n)).toBe(1_000_000n);
  });

  it("a position in an event with exclusive outcomes has negativeRisk", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    const exclusive = markets.all.find(
      (market) => market.negativeRisk && market.outcomes[0].bestAsk !== null,
    );
    if (!exclusive) throw new Error("no market is neg-risk");
    await buy(user, exclusive, { amount: 2 });
    expect((await readPortfolio(user)).positions).toMatchObject([{ negativeRisk: true }]);
  });

  it("the price is the last trade if the spread is wider than 0.10", async () => {
    const wide = markets.all.find(({ outcomes: [first] }) => {
      if (first.bestBid === null || first.bestAsk === null) return false;
      return first.bestAsk - first.bestBid > 100_000n;
    });
    if (!wide) throw new Error("no book is wide");
    const user = await makeUser(usdc(DEPOSIT));
    await buy(user, wide, { shares: 10 });
    const { positions } = await readPortfolio(user);
    expect(positions[0]?.currentPrice).toBe(readQuotes(wide).ask);
    const market = await read(MarketDetail, `/v1/markets/${wide.id}`, user.apiKey);
    expect(market.outcomes[0].price).toBe(readQuotes(wide).ask);
  });

  it("the price follows an order that another user placed a moment ago", async () => {
    const [user, other] = [await makeUser(usdc(DEPOSIT)), await makeUser(usdc(DEPOSIT))];
    const { free } = markets;
    await buy(user, free, { amount: 5 });
    const before = await readPortfolio(user);
    const price = microToNumber(readQuotes(free).bid + readTick(free));
    const { orderId } = await place(other.apiKey, orderFor(free, { price, shares: 10 }));
    const after = await readPortfolio(user);
    const market = await read(MarketDetail, `/v1/markets/${free.id}`, user.apiKey);
    await callApi("DELETE", `/v1/orders/${orderId}`, { key: other.apiKey });
    expect(after.positions[0]?.currentPrice).toBe(market.outcomes[0].price);
    expect(after.positions[0]?.currentPrice).not.toBe(before.positions[0]?.currentPrice);
    expect(await readPortfolio(user)).toEqual(before);
  });

  it("matches the order records to the base unit through buys, sells, fees and price changes", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    const { taxed, free } = markets;
    const second = { tokenId: taxed.outcomes[1].tokenId };
    const steps: [TestMarket, Record<string, unknown>][] = [
      [taxed, { amount: 33.33 }],
      [free, { amount: 17.01 }],
      [taxed, { ...second, amount: 12.34 }],
      [taxed, { action: "SELL", shares: 11.11 }],
      [free, { action: "SELL", shares: 3.03 }],
      [taxed, { amount: 7.77 }],
      [taxed, { ...second, action: "SELL", shares: 0.01 }],
      [free, { shares: 44.44 }],
    ];
    for (const [market, fields] of steps) {
      await buy(user, market, fields);
      clock.advance(MINUTE_MS);
      await expectExact(user, DEPOSIT);
    }
  });

  it("selling everything removes the position and keeps its result in totalPnl", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    await buy(user, markets.taxed, { shares: 25 });
    await buy(user, markets.taxed, { action: "SELL", shares: 25 });
    const portfolio = await expectExact(user, DEPOSIT);
    expect(portfolio.positions).toEqual([]);
    expect(portfolio.totalPnl).toBeLessThan(0n);
    expect(portfolio.portfolioValue).toBe(portfolio.balanceUsdc);
  });

  it("the position includes shares that an open sell reserves", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    await buy(user, markets.free, { shares: 10 });
    const before = await readPortfolio(user);
    await place(user.apiKey, orderFor(markets.free, { action: "SELL", price: 0.98, shares: 10 }));
    expect(await readPortfolio(user)).toEqual(before);
  });

  it("a deposit is no profit", async () => {
    const user = await makeUser(usdc(DEPOSIT));
    await buy(user, markets.taxed, { shares: 25 });
    const { totalPnl } = await readPortfolio(user);
    await deposit(user.userId, usdc(77_000_001n));
    expect(await expectExact(user, DEPOSIT + 77_000_001n)).toMatchObject({ totalPnl });
  });
});

describe("401", () => {
  it("a key without the read scope is rejected", async () => {
    const trader = await makeUser(undefined, ["trade", "cancel"]);
    await expectRefusal({ code: "INSUFFICIENT_SCOPE", message: "read" }, () =>
      callApi("GET", "/v1/positions", { key: trader.apiKey }),
    );
  });
});
