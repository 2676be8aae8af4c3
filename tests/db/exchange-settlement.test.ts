import { afterEach, describe, expect, it } from "vitest";
import { computeTakerFee } from "@/lib/domain/fees";
import { available, collateral, fees, held, issuance, USDC } from "@/lib/ledger/accounts";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { notional, ONE, price, shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  findPriceInside,
  mintPair,
  place,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  readCashBalance,
  readFills,
  ledgerChanges,
  readOrderMoney,
  orderRow,
  readOwner,
  readPosition,
  readLedger,
} from "@/tests/support/exchange/ledger";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const SIZE = shares(20_000_000n);
const toComplement = (at: bigint) => price(ONE - at);

/** A maker, a taker, an unused market, and a price between the house's quotes. */
async function openPair() {
  const [maker, taker] = [await makeUser(), await makeUser()];
  const market = freshMarket();
  const at = findPriceInside(market)(2);
  const [first, second] = [getToken(market, 0), getToken(market, 1)];
  const [makerOwns, takerOwns] = [await readOwner(maker), await readOwner(taker)];
  return { maker, taker, market, at, first, second, makerOwns, takerOwns };
}

describe("BUY YES meets SELL YES", () => {
  it("shares change hands for the maker's price, and only the taker pays a fee", async () => {
    const { maker, taker, market, at, first, makerOwns, takerOwns } = await openPair();
    await mintPair(market, { first: maker, second: await makeUser() }, SIZE);
    const resting = await place(maker, {
      market,
      action: "SELL",
      outcome: 0,
      limit: at,
      size: SIZE,
    });
    const before = await readLedger();
    const limit = price(at + market.tick);
    const taken = await place(taker, { market, action: "BUY", outcome: 0, limit, size: SIZE });
    expect(taken.status).toBe("filled");

    const cash = notional(SIZE, at, "down");
    const fee = computeTakerFee(SIZE, at, market.feeRate);
    expect(fee).toBeGreaterThan(0n);
    expect(await ledgerChanges(before)).toEqual({
      [available(takerOwns, USDC).id]: -cash - fee,
      [available(takerOwns, first).id]: SIZE,
      [available(makerOwns, USDC).id]: cash,
      [held(makerOwns, first).id]: -SIZE,
      [fees(market.id).id]: fee,
    });
    expect(await readFills(resting.orderId)).toMatchObject([
      { action: "SELL", role: "maker", settlement: "complementary", price: at, fee: 0n },
    ]);
    expect(await readFills(taken.orderId)).toMatchObject([
      { action: "BUY", role: "taker", settlement: "complementary", price: at, fee },
    ]);
  });

  it("a selling taker pays the fee from the proceeds", async () => {
    const { maker, taker, market, at, first, makerOwns, takerOwns } = await openPair();
    await mintPair(market, { first: taker, second: await makeUser() }, SIZE);
    await place(maker, { market, action: "BUY", outcome: 0, limit: at, size: SIZE });
    const before = await readLedger();
    const worst = price(at - market.tick);
    await place(taker, { market, action: "SELL", outcome: 0, worst, size: SIZE });

    const cash = notional(SIZE, at, "down");
    const fee = computeTakerFee(SIZE, at, market.feeRate);
    expect(await ledgerChanges(before)).toEqual({
      [available(takerOwns, USDC).id]: cash - fee,
      [available(takerOwns, first).id]: -SIZE,
      [held(makerOwns, USDC).id]: -cash,
      [available(makerOwns, first).id]: SIZE,
      [fees(market.id).id]: fee,
    });
  });
});

describe("BUY YES meets BUY NO", () => {
  it.each([0, 1] as const)(
    "a pair is minted for one dollar, with the taker's fee on top (taker buys outcome %i)",
    async (outcome) => {
      const { maker, taker, market, at, makerOwns, takerOwns } = await openPair();
      const other = outcome === 0 ? 1 : 0;
      const makerPays = outcome === 0 ? toComplement(at) : at;
      const resting = await place(maker, {
        market,
        action: "BUY",
        outcome: other,
        limit: makerPays,
        size: SIZE,
      });
      const before = await readLedger();
      // The limit is one tick worse than needed. The taker still gets the maker's price.
      const limit = price(ONE - makerPays + market.tick);
      const taken = await place(taker, { market, action: "BUY", outcome, limit, size: SIZE });
      expect(taken.status).toBe("filled");

      const [makerCash, takerCash] = [
        notional(SIZE, makerPays, "down"),
        notional(SIZE, toComplement(makerPays), "down"),
      ];
      const fee = computeTakerFee(SIZE, toComplement(makerPays), market.feeRate);
      expect(makerCash + takerCash).toBe(SIZE);
      expect(await ledgerChanges(before)).toEqual({
        [available(takerOwns, USDC).id]: -takerCash - fee,
        [available(takerOwns, getToken(market, outcome)).id]: SIZE,
        [held(makerOwns, USDC).id]: -makerCash,
        [available(makerOwns, getToken(market, other)).id]: SIZE,
        [collateral(market.id).id]: SIZE,
        [issuance(getToken(market, 0)).id]: -SIZE,
        [issuance(getToken(market, 1)).id]: -SIZE,
        [fees(market.id).id]: fee,
      });
      expect(await readFills(resting.orderId)).toMatchObject([{ settlement: "mint", fee: 0n }]);
      expect(await readFills(taken.orderId)).toMatchObject([{ settlement: "mint", fee }]);
    },
  );
});

describe("SELL YES meets SELL NO", () => {
  it("a pair is merged and its dollar divided, with the fee from the taker's part", async () => {
    const { maker, taker, market, at, first, second, makerOwns, takerOwns } = await openPair();
    await mintPair(market, { first: maker, second: taker }, SIZE);
    const resting = await place(maker, {
      market,
      action: "SELL",
      outcome: 0,
      limit: at,
      size: SIZE,
    });
    const before = await readLedger();
    const limit = price(ONE - at - market.tick);
    const taken = await place(taker, { market, action: "SELL", outcome: 1, limit, size: SIZE });
    expect(taken.status).toBe("filled");

    const makerCash = notional(SIZE, at, "down");
    const takerCash = notional(SIZE, toComplement(at), "down");
    const fee = computeTakerFee(SIZE, toComplement(at), market.feeRate);
    expect(await ledgerChanges(before)).toEqual({
      [available(takerOwns, USDC).id]: takerCash - fee,
      [available(takerOwns, second).id]: -SIZE,
      [available(makerOwns, USDC).id]: makerCash,
      [held(makerOwns, first).id]: -SIZE,
      [collateral(market.id).id]: -SIZE,
      [issuance(first).id]: SIZE,
      [issuance(second).id]: SIZE,
      [fees(market.id).id]: fee,
    });
    expect(await readFills(resting.orderId)).toMatchObject([{ settlement: "merge", fee: 0n }]);
    expect(await readFills(taken.orderId)).toMatchObject([{ settlement: "merge", fee }]);
  });

  it("both positions are closed and realize their profit", async () => {
    const { maker, taker, market, at, first, second } = await openPair();
    const bought = findPriceInside(market)(0);
    await mintPair(market, { first: maker, second: taker }, SIZE);
    await place(maker, { market, action: "SELL", outcome: 0, limit: at, size: SIZE });
    await place(taker, {
      market,
      action: "SELL",
      outcome: 1,
      limit: toComplement(at),
      size: SIZE,
    });
    const gain = notional(SIZE, price(at - bought), "down");
    expect(await readPosition(maker, first)).toMatchObject({
      shares: 0n,
      cost: 0n,
      realizedPnl: gain,
    });
    expect(await readPosition(taker, second)).toMatchObject({
      shares: 0n,
      cost: 0n,
      realizedPnl: -gain,
    });
  });
});

describe("a trade with the house", () => {
  it("mints with a buyer, and transfers a seller's shares without new collateral", async () => {
    const [user, market] = [await makeUser(), freshMarket()];
    const owner = await readOwner(user);
    const token = getToken(market, 0);
    const before = await readLedger();
    const bought = await place(user, { market, action: "BUY", outcome: 0, size: SIZE });
    const buy = await orderRow(bought.orderId);
    expect(await ledgerChanges(before)).toMatchObject({
      [available(owner, USDC).id]: -buy.filledNotional - buy.fee,
      [available(owner, token).id]: SIZE,
      [collateral(market.id).id]: SIZE,
      [`house/${market.id}/${getToken(market, 1)}`]: SIZE,
      [`house/${market.id}/usdc`]: -(SIZE - buy.filledNotional),
      [fees(market.id).id]: buy.fee,
    });
    const between = await readLedger();
    const sold = await place(user, { market, action: "SELL", outcome: 0, size: SIZE });
    const sell = await orderRow(sold.orderId);
    expect(await ledgerChanges(between)).toEqual({
      [available(owner, USDC).id]: sell.filledNotional - sell.fee,
      [available(owner, token).id]: -SIZE,
      [`house/${market.id}/${token}`]: SIZE,
      [`house/${market.id}/usdc`]: -sell.filledNotional,
      [fees(market.id).id]: sell.fee,
    });
    expect(sell.filledNotional).toBeLessThan(buy.filledNotional);
  });
});

describe("price improvement", () => {
  it("releases what a better price saved when the order has filled", async () => {
    const { maker, taker, market, at } = await openPair();
    await place(maker, { market, action: "BUY", outcome: 1, limit: toComplement(at), size: SIZE });
    const limit = price(at + 2n * market.tick);
    const before = await readCashBalance(taker);
    const { orderId } = await place(taker, {
      market,
      action: "BUY",
      outcome: 0,
      limit,
      size: SIZE,
    });
    const after = await readCashBalance(taker);
    const { filledNotional, fee } = await orderRow(orderId);
    expect(filledNotional).toBe(notional(SIZE, at, "down"));
    expect(before.available - after.available).toBe(filledNotional + fee);
    expect(after.held).toBe(0n);
    const money = await readOrderMoney(orderId);
    expect(money.released).toBe(money.original - filledNotional - fee);
    expect(money.released).toBeGreaterThan(notional(SIZE, price(2n * market.tick), "down") - 1n);
  });
});
