import { beforeAll, describe, expect, it } from "vitest";
import { ActivityList, Balance, Portfolio } from "@/lib/schemas/account";
import { MarketDetail } from "@/lib/schemas/markets";
import { ClaimResult } from "@/lib/schemas/wallet-transactions";
import { callApi } from "@/tests/support/api/call-api";
import { readData, place, placeAndRead, read, readOrder } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  type TestMarket,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

const DEPOSIT = 1_000_000_000n;

let markets: TestMarkets;
let market: TestMarket;
/** Holds both outcomes, with an open sell for a part of the first one. */
let user: TestUser;
/** Sold the other outcome of the same market. */
let bystander: TestUser;
let restingSell: string;

beforeAll(async () => {
  [user, bystander] = [await makeUser(), await makeUser()];
  markets = await loadMarkets(user.apiKey);
  market = markets.short;
  for (const [index, shares] of [
    [0, 20],
    [1, 30],
  ] as const) {
    const { tokenId } = market.outcomes[index];
    await place(user.apiKey, orderFor(market, { tokenId, orderType: "market", shares }));
  }
  const sell = { action: "SELL", price: 0.9, shares: 8 };
  restingSell = (await place(user.apiKey, orderFor(market, sell))).orderId;
  await place(bystander.apiKey, orderFor(market, { orderType: "market", shares: 10 }));
  const back = { orderType: "market", action: "SELL", shares: 10 };
  await place(bystander.apiKey, orderFor(market, back));
});

const redeem = (tokenId: string, key = user.apiKey) =>
  callApi("POST", `/v1/positions/${tokenId}/redeem`, { key });
const readPortfolio = (of: TestUser) => read(Portfolio, "/v1/positions", of.apiKey);
const readCash = async (of: TestUser) =>
  (await read(Balance, "/v1/account/balance", of.apiKey)).balanceUsdc;
/** Claims on paper are final at once. */
const FINAL = { status: "confirmed", transactionId: null };
const detail = () => read(MarketDetail, `/v1/markets/${market.id}`, user.apiKey);

/** Asserts the totals that hold in every state of a market. */
async function expectExactTotals(of: TestUser) {
  const portfolio = await readPortfolio(of);
  const worth = portfolio.positions.reduce((sum, position) => sum + position.value, 0n);
  expect(portfolio.portfolioValue).toBe(portfolio.balanceUsdc + worth);
  expect(portfolio.totalPnl).toBe(portfolio.portfolioValue - DEPOSIT);
  return portfolio;
}

describe("400 before the market is resolved", () => {
  it("a position of an open market cannot be claimed", async () => {
    await expectRefusal({ code: "ORDER_REJECTED", message: "isn't resolved" }, () =>
      redeem(market.outcomes[0].tokenId),
    );
    const { positions } = await expectExactTotals(user);
    expect(positions.map((position) => position.redeemable)).toEqual([false, false]);
  });

  it("a position of a closed market that waits for its result cannot be claimed", async () => {
    clock.advance(market.closesAt.getTime() - clock.now());
    await expectRefusal({ code: "ORDER_REJECTED", message: "isn't resolved" }, () =>
      redeem(market.outcomes[0].tokenId),
    );
    const { positions } = await expectExactTotals(user);
    expect(positions.map((position) => position.redeemable)).toEqual([false, false]);
    // Without quotes, the last trade is the price, and the two prices add up to a dollar.
    const [one, two] = positions.map((position) => position.currentPrice);
    expect((one ?? 0n) + (two ?? 0n)).toBe(1_000_000n);
  });
});

describe("200", () => {
  let winner: string;
  let loser: string;

  beforeAll(async () => {
    clock.advance((await detail()).resolvesAt.getTime() - clock.now());
    winner = (await detail()).winningTokenId ?? "";
    const tokens = market.outcomes.map((outcome) => outcome.tokenId);
    loser = tokens.find((tokenId) => tokenId !== winner) ?? "";
    expect(tokens).toContain(winner);
  });

  it("positions of a resolved market are worth a dollar per share or nothing, and redeemable", async () => {
    const { positions } = await expectExactTotals(user);
    const byId = new Map(positions.map((position) => [position.id, position]));
    expect(byId.get(winner)).toMatchObject({ currentPrice: 1_000_000n, redeemable: true });
    expect(byId.get(winner)?.value).toBe(byId.get(winner)?.shares);
    expect(byId.get(loser)).toMatchObject({ currentPrice: 0n, value: 0n, redeemable: true });
    expect(byId.get(loser)?.pnlPercent).toBe(-100_000_000n);
  });

  it("a winning position pays a dollar per share, including shares that an open order reserved", async () => {
    const before = await expectExactTotals(user);
    const held = before.positions.find((position) => position.id === winner)?.shares ?? 0n;
    const answer = readData(ClaimResult, await redeem(winner));
    expect(answer).toEqual({ positionId: winner, shares: held, payoutUsdc: held, ...FINAL });
    expect(await readCash(user)).toBe(before.balanceUsdc + held);
    const after = await expectExactTotals(user);
    expect(after.positions.map((position) => position.id)).toEqual([loser]);
    expect(after.totalPnl).toBe(before.totalPnl);
    const order = await readOrder(user.apiKey, restingSell);
    expect(order).toMatchObject({ status: "canceled", filledShares: 0n });
    expect(order.events.at(-1)?.detail).toEqual({ reason: "market_closed" });
  });

  it("the payout is a line of the activity", async () => {
    const { lines } = await read(ActivityList, "/v1/activity?limit=1", user.apiKey);
    expect(lines).toMatchObject([
      { kind: "redeem", marketId: market.id, orderId: null, balanceUsdc: await readCash(user) },
    ]);
  });

  it("a losing position is closed for nothing and leaves no line", async () => {
    const before = await expectExactTotals(user);
    const lines = await read(ActivityList, "/v1/activity", user.apiKey);
    const [position] = before.positions;
    expect(readData(ClaimResult, await redeem(loser))).toEqual({
      positionId: loser,
      shares: position?.shares,
      payoutUsdc: 0n,
      ...FINAL,
    });
    const after = await expectExactTotals(user);
    // Its loss is now realized.
    const realizedPnl = (before.realizedPnl ?? 0n) + (position?.pnl ?? 0n);
    const unrealizedPnl = before.unrealizedPnl - (position?.pnl ?? 0n);
    expect(after).toEqual({ ...before, realizedPnl, unrealizedPnl, positions: [] });
    expect(await read(ActivityList, "/v1/activity", user.apiKey)).toEqual(lines);
  });

  it("one of ten concurrent claims is paid", async () => {
    const { apiKey: key, ...crowd } = await makeUser();
    const backThen = clock.now();
    clock.advance(-(backThen - market.closesAt.getTime()) - 60_000);
    const { tokenId } = market.outcomes[market.outcomes[0].tokenId === winner ? 0 : 1];
    await placeAndRead(key, orderFor(market, { tokenId, orderType: "market", amount: 9 }));
    clock.advance(backThen - clock.now());
    const before = await readCash({ apiKey: key, ...crowd });
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(winner, key)));
    const paid = answers.filter((answer) => answer.status === 200);
    expect(paid).toHaveLength(1);
    const [first] = paid;
    if (!first) throw new Error("one claim is paid");
    const { payoutUsdc } = readData(ClaimResult, first);
    expect(await readCash({ apiKey: key, ...crowd })).toBe(before + payoutUsdc);
    const codes = answers
      .filter((answer) => answer !== first)
      .map((answer) => answer.body.error?.code);
    expect(new Set(codes)).toEqual(new Set(["INSUFFICIENT_SHARES"]));
  });

  it("a second claim, and a claim without shares, are rejected", async () => {
    for (const [tokenId, key] of [
      [winner, user.apiKey],
      [loser, user.apiKey],
      [winner, bystander.apiKey],
      [winner, (await makeUser()).apiKey],
    ] as const) {
      await expectRefusal({ code: "INSUFFICIENT_SHARES", message: "nothing to claim" }, () =>
        redeem(tokenId, key),
      );
    }
  });
});

describe("401", () => {
  it("a key without the trade scope can't claim", async () => {
    const reader = await makeUser(undefined, ["read", "cancel"]);
    await expectRefusal({ code: "INSUFFICIENT_SCOPE", message: "trade" }, () =>
      redeem(market.outcomes[0].tokenId, reader.apiKey),
    );
  });
});

describe("404", () => {
  it.each(["1", "x", "%00", "9".repeat(79), "-1", "a%2Fb"])(
    "no market has the token %j",
    async (tokenId) => {
      await expectRefusal({ code: "MARKET_NOT_FOUND", message: "token" }, () => redeem(tokenId));
    },
  );

  it("a market's id is not a position's", async () => {
    await expectRefusal({ code: "MARKET_NOT_FOUND" }, () => redeem(market.id));
  });
});
