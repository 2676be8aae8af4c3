import { beforeAll, describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { setAllowance } from "@/lib/db/queries/wallets";
import { Balance } from "@/lib/schemas/account";
import { formatUsdc, microToNumber, usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api";
import { cancel, errorOf, place, placeAndRead, read } from "@/tests/support/api-client";
import {
  loadMarkets,
  orderFor,
  quotesOf,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api-exchange";
import { expectRefusal, expectRejection } from "@/tests/support/api-state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let markets: TestMarkets;

beforeAll(async () => {
  markets = await loadMarkets((await makeUser()).apiKey);
});

const userWith = (usdcAmount: number) => makeUser(usdc(BigInt(Math.round(usdcAmount * 1_000_000))));
const post = (user: TestUser, fields: Record<string, unknown>, market = markets.free) =>
  callApi("POST", "/v1/orders", { key: user.apiKey, body: orderFor(market, fields) });
const balanceOf = (user: TestUser) => read(Balance, "/v1/account/balance", user.apiKey);

describe("200", () => {
  it("an order that needs all the cash there is is accepted", async () => {
    const user = await userWith(5);
    expect((await post(user, { price: 0.4, shares: 12.5 })).status).toBe(200);
    expect((await balanceOf(user)).balanceUsdc).toBe(5_000_000n);
  });

  it("canceling gives the reserved cash back to the last base unit", async () => {
    const user = await userWith(5);
    const { orderId } = await place(
      user.apiKey,
      orderFor(markets.free, { price: 0.4, shares: 12.5 }),
    );
    const answer = await post(user, { price: 0.01, shares: 5 });
    expect(errorOf(answer).message).toBe(
      "needs 0.05 USDC, 0.00 available (5.00 reserved by 1 open order)",
    );
    await cancel(user.apiKey, orderId);
    expect((await post(user, { price: 0.4, shares: 12.5 })).status).toBe(200);
  });

  it("an unlimited allowance does not shrink, and a null allowance refuses nothing", async () => {
    const user = await userWith(20);
    const before = (await balanceOf(user)).allowanceBaseUnit;
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect((await balanceOf(user)).allowanceBaseUnit).toBe(before);
    await setAllowance(await getDb(), user.userId, null);
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect((await balanceOf(user)).allowanceBaseUnit).toBeNull();
  });

  it("a limited allowance shrinks by exactly what fills cost, with fees", async () => {
    const user = await userWith(20);
    await setAllowance(await getDb(), user.userId, 15_000_000n);
    const body = orderFor(markets.taxed, { orderType: "market", amount: 10 });
    const { fills, fee } = await placeAndRead(user.apiKey, body);
    const paid = fills.reduce((total, fill) => total + fill.amount, 0n) + fee;
    expect(fee).toBeGreaterThan(0n);
    expect((await balanceOf(user)).allowanceBaseUnit).toBe(15_000_000n - paid);
  });

  it("an order that needs all the allowance there is is accepted", async () => {
    const user = await userWith(20);
    await setAllowance(await getDb(), user.userId, 5_000_000n);
    expect((await post(user, { price: 0.4, shares: 12.5 })).status).toBe(200);
  });

  it("a sell needs no allowance", async () => {
    const user = await userWith(20);
    const shares = 10;
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", shares }));
    await setAllowance(await getDb(), user.userId, 0n);
    const sell = await post(user, { orderType: "market", action: "SELL", shares });
    expect(sell.status).toBe(200);
  });
});

describe("400 INSUFFICIENT_BALANCE", () => {
  it("names what is needed, what is there, and how many open orders reserve how much", async () => {
    const user = await userWith(5);
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 5 }));
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 5 }));
    const message = /^needs 5\.00 USDC, 3\.40 available \(1\.60 reserved by 2 open orders\)$/;
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.4, shares: 12.5 }),
    );
  });

  it("a missing base unit is enough to be refused", async () => {
    const user = await userWith(4.999999);
    const message = /^needs 5\.00 USDC, 4\.999999 available$/;
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.4, shares: 12.5 }),
    );
  });

  it("orders that are over reserve nothing and are not counted", async () => {
    const user = await userWith(5);
    const { orderId } = await place(
      user.apiKey,
      orderFor(markets.free, { price: 0.16, shares: 5 }),
    );
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 5 }));
    await cancel(user.apiKey, orderId);
    const message = /^needs 6\.00 USDC, 4\.20 available \(0\.80 reserved by 1 open order\)$/;
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.4, shares: 15 }),
    );
  });

  it("a market buy must cover its fee", async () => {
    const user = await userWith(10);
    await expectRejection(
      user,
      { code: "INSUFFICIENT_BALANCE", message: /^needs 10\.\d+ USDC, 10\.00 available$/ },
      () => post(user, { orderType: "market", amount: 10 }, markets.taxed),
    );
  });

  it("a market buy of shares must cover its worst price", async () => {
    const user = await userWith(4.69);
    const { ask } = quotesOf(markets.free);
    const needed = formatUsdc((ask + 50_000n) * 10n);
    await expectRejection(
      user,
      {
        code: "INSUFFICIENT_BALANCE",
        message: new RegExp(`^needs ${needed} USDC, 4\\.69 available$`),
      },
      () => post(user, { orderType: "market", shares: 10 }),
    );
  });

  it("an order for all the money in the world is refused like any other", async () => {
    const user = await userWith(5);
    const message = "needs 989999999.9901 USDC, 5.00 available";
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.99, shares: 999_999_999.99 }),
    );
  });

  it("an amount that buys nearly all shares a JSON number can tell leaves readable records", async () => {
    const user = await userWith(5);
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE" }, () =>
      post(user, { price: 0.01, amount: 9_999_999.99 }),
    );
  });
});

describe("400 VALIDATION_ERROR", () => {
  it("an amount that buys more shares than a JSON number can tell leaves no record", async () => {
    const user = await userWith(5);
    for (const amount of [10_000_000, 999_999_999.999999]) {
      await expectRefusal({ code: "VALIDATION_ERROR", message: "amount: " }, () =>
        post(user, { price: 0.01, amount }),
      );
    }
  });
});

describe("400 INSUFFICIENT_SHARES", () => {
  it("nobody sells what they do not hold", async () => {
    const user = await userWith(5);
    const message = /^needs 5 shares, 0 available$/;
    await expectRejection(user, { code: "INSUFFICIENT_SHARES", message }, () =>
      post(user, { action: "SELL", price: 0.9 }),
    );
  });

  it("names what is needed, what is there, and how many open orders reserve how much", async () => {
    const user = await userWith(20);
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", shares: 12 }));
    await place(user.apiKey, orderFor(markets.free, { action: "SELL", price: 0.9, shares: 5 }));
    await place(user.apiKey, orderFor(markets.free, { action: "SELL", price: 0.9, shares: 5.5 }));
    const message = /^needs 5 shares, 1\.5 available \(10\.5 reserved by 2 open orders\)$/;
    await expectRejection(user, { code: "INSUFFICIENT_SHARES", message }, () =>
      post(user, { action: "SELL", price: 0.9 }),
    );
  });

  it("shares of one outcome do not cover a sale of the other", async () => {
    const user = await userWith(20);
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", shares: 10 }));
    const tokenId = markets.free.outcomes[1].tokenId;
    const message = /^needs 5 shares, 0 available$/;
    await expectRejection(user, { code: "INSUFFICIENT_SHARES", message }, () =>
      post(user, { tokenId, action: "SELL", price: 0.9 }),
    );
  });
});

describe("400 INSUFFICIENT_ALLOWANCE", () => {
  it("what open orders reserve counts against the allowance", async () => {
    const user = await userWith(20);
    await setAllowance(await getDb(), user.userId, 5_000_000n);
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 10 }));
    await setAllowance(await getDb(), user.userId, 4_999_999n);
    const message = /\b5\.00 USDC\b.*\b4\.999999 approved$/;
    await expectRejection(user, { code: "INSUFFICIENT_ALLOWANCE", message }, () =>
      post(user, { price: 0.4, shares: 8.5 }),
    );
    await setAllowance(await getDb(), user.userId, 5_000_000n);
    expect((await post(user, { price: 0.4, shares: 8.5 })).status).toBe(200);
  });

  it("without cash it is the balance that is named", async () => {
    const user = await userWith(1);
    await setAllowance(await getDb(), user.userId, 0n);
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE" }, () =>
      post(user, { price: 0.4, shares: 12.5 }),
    );
  });
});

describe("200 after the allowance was lowered below what open orders reserve", () => {
  it("the allowance is never shown as less than nothing", async () => {
    const [maker, taker] = [await userWith(20), await userWith(20)];
    const price = quotesOf(markets.free).bid + 10_000n;
    await place(maker.apiKey, orderFor(markets.free, { price: microToNumber(price), shares: 10 }));
    await setAllowance(await getDb(), maker.userId, 0n);
    const tokenId = markets.free.outcomes[1].tokenId;
    await place(
      taker.apiKey,
      orderFor(markets.free, { tokenId, price: microToNumber(1_000_000n - price), shares: 10 }),
    );
    expect((await balanceOf(maker)).allowanceBaseUnit).toBe(0n);
  });
});
