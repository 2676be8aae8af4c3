import { beforeAll, describe, expect, it } from "vitest";
import { setAllowance } from "@/tests/support/exchange/allowance";
import { computeMaxTakerFee } from "@/lib/domain/fees";
import { Balance } from "@/lib/schemas/account";
import { OrderPreview } from "@/lib/schemas/orders";
import { add, formatDollars, microToNumber, notional, price as priceAt, usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, readData, readError, place, placeAndRead, read } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { expectRefusal, expectRejection } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let markets: TestMarkets;

beforeAll(async () => {
  markets = await loadMarkets((await makeUser()).apiKey);
});

const userWith = (usdcAmount: number) => makeUser(usdc(BigInt(Math.round(usdcAmount * 1_000_000))));
const post = (user: TestUser, fields: Record<string, unknown>, market = markets.free) =>
  callApi("POST", "/v1/orders", { key: user.apiKey, body: orderFor(market, fields) });
const preview = async (key: string, body: unknown) =>
  readData(OrderPreview, await callApi("POST", "/v1/orders/preview", { key, body }));
const readBalance = (user: TestUser) => read(Balance, "/v1/account/balance", user.apiKey);

describe("200", () => {
  it("an order that needs exactly the available cash is accepted", async () => {
    const user = await userWith(5);
    expect((await post(user, { price: 0.4, shares: 12.5 })).status).toBe(200);
    expect((await readBalance(user)).balanceUsdc).toBe(5_000_000n);
  });

  it("a buy that stays open needs its cost without a fee, in preview and hold", async () => {
    const user = await userWith(5);
    const { apiKey } = user;
    const fields = { price: 0.01, shares: 500 };
    expect(await preview(apiKey, orderFor(markets.taxed, fields))).toMatchObject({
      holdUsdc: 5_000_000n,
      fee: 0n,
      refusal: null,
    });
    expect((await post(user, fields, markets.taxed)).status).toBe(200);
    const refused = await post(user, fields, markets.taxed);
    expect(readError(refused).message).toBe(
      "This order needs $5.00; $0.00 is available ($5.00 is reserved by 1 open buy).",
    );
  });

  it("a partly filled buy needs the fee of the filled part, to the base unit", async () => {
    const { ask } = readQuotes(markets.taxed);
    const body = orderFor(markets.taxed, { price: microToNumber(ask), shares: 90_000 });
    const rich = await makeUser(usdc(200_000_000_000n));
    const { holdUsdc, shares: filled, restingShares } = await preview(rich.apiKey, body);
    expect(filled > 0n && restingShares > 0n).toBe(true);
    const cost = notional(add(filled, restingShares), priceAt(ask), "up");
    const worst = computeMaxTakerFee(filled, priceAt(ask), markets.taxed.feeRate);
    expect(worst).toBeGreaterThan(0n);
    expect(holdUsdc).toBe(cost + worst);
    const [exact, short] = [await makeUser(holdUsdc), await makeUser(usdc(holdUsdc - 1n))];
    expect(
      readError(await callApi("POST", "/v1/orders", { key: short.apiKey, body })).message,
    ).toBe(
      `This order needs ${formatDollars(holdUsdc, "up")}; ` +
        `${formatDollars(holdUsdc - 1n, "down")} is available.`,
    );
    expect((await preview(short.apiKey, body)).refusal?.code).toBe("INSUFFICIENT_BALANCE");
    expect((await callApi("POST", "/v1/orders", { key: exact.apiKey, body })).status).toBe(200);
  });

  it("a cancel releases the reserved cash to the last base unit", async () => {
    const user = await userWith(5);
    const { orderId } = await place(
      user.apiKey,
      orderFor(markets.free, { price: 0.4, shares: 12.5 }),
    );
    const answer = await post(user, { price: 0.01, shares: 5 });
    expect(readError(answer).message).toBe(
      "This order needs $0.05; $0.00 is available ($5.00 is reserved by 1 open buy).",
    );
    await cancel(user.apiKey, orderId);
    expect((await post(user, { price: 0.4, shares: 12.5 })).status).toBe(200);
  });

  it("an unlimited allowance does not shrink, and a null allowance rejects nothing", async () => {
    const user = await userWith(20);
    const before = (await readBalance(user)).allowanceBaseUnit;
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect((await readBalance(user)).allowanceBaseUnit).toBe(before);
    await setAllowance(user.userId, null);
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect((await readBalance(user)).allowanceBaseUnit).toBeNull();
  });

  it("a limited allowance shrinks by exactly the cost of fills with fees", async () => {
    const user = await userWith(20);
    await setAllowance(user.userId, 15_000_000n);
    const body = orderFor(markets.taxed, { orderType: "market", amount: 10 });
    const { fills, fee } = await placeAndRead(user.apiKey, body);
    const paid = fills.reduce((total, fill) => total + fill.amount, 0n) + fee;
    expect(fee).toBeGreaterThan(0n);
    expect((await readBalance(user)).allowanceBaseUnit).toBe(15_000_000n - paid);
  });

  it("an order that needs exactly the allowance is accepted", async () => {
    const user = await userWith(20);
    await setAllowance(user.userId, 5_000_000n);
    expect((await post(user, { price: 0.4, shares: 12.5 })).status).toBe(200);
  });

  it("a sell needs no allowance", async () => {
    const user = await userWith(20);
    const shares = 10;
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", shares }));
    await setAllowance(user.userId, 0n);
    const sell = await post(user, { orderType: "market", action: "SELL", shares });
    expect(sell.status).toBe(200);
  });
});

describe("400 INSUFFICIENT_BALANCE", () => {
  it("the message names the need, the available funds and what open orders reserve", async () => {
    const user = await userWith(5);
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 5 }));
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 5 }));
    const message =
      /^This order needs \$5\.00; \$3\.40 is available \(\$1\.60 is reserved by 2 open buys\)\.$/;
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.4, shares: 12.5 }),
    );
  });

  it("an order is rejected if one base unit is missing", async () => {
    const user = await userWith(4.999999);
    const message = /^This order needs \$5\.00; \$4\.99 is available\.$/;
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.4, shares: 12.5 }),
    );
  });

  it("closed orders reserve nothing and are not counted", async () => {
    const user = await userWith(5);
    const { orderId } = await place(
      user.apiKey,
      orderFor(markets.free, { price: 0.16, shares: 5 }),
    );
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 5 }));
    await cancel(user.apiKey, orderId);
    const message =
      /^This order needs \$6\.00; \$4\.20 is available \(\$0\.80 is reserved by 1 open buy\)\.$/;
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.4, shares: 15 }),
    );
  });

  it("a market buy must cover its fee", async () => {
    const user = await userWith(10);
    await expectRejection(
      user,
      {
        code: "INSUFFICIENT_BALANCE",
        message: /^This order needs \$10\.\d\d; \$10\.00 is available\.$/,
      },
      () => post(user, { orderType: "market", amount: 10 }, markets.taxed),
    );
  });

  it("a market buy of shares must cover its worst price", async () => {
    const user = await userWith(4.69);
    const { ask } = readQuotes(markets.free);
    const needed = formatDollars((ask + 50_000n) * 10n, "up");
    await expectRejection(
      user,
      {
        code: "INSUFFICIENT_BALANCE",
        message: `This order needs ${needed}; $4.69 is available.`,
      },
      () => post(user, { orderType: "market", shares: 10 }),
    );
  });

  it("an order with the largest amount is rejected", async () => {
    const user = await userWith(5);
    const message = "This order needs $9,900,000.00; $5.00 is available.";
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE", message }, () =>
      post(user, { price: 0.99, shares: 10_000_000 }),
    );
  });

  it("an amount that buys nearly the maximum shares leaves readable records", async () => {
    const user = await userWith(5);
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE" }, () =>
      post(user, { price: 0.01, amount: 99_999.99 }),
    );
  });
});

describe("400 VALIDATION_ERROR", () => {
  it.each([
    { price: 0.99, shares: 10_000_000.01 },
    { price: 0.01, amount: 100_000.01 },
    { price: 0.01, amount: 10_000_000.01 },
    { orderType: "market", amount: 10_000_000.01 },
    { orderType: "market", price: 0.01, amount: 100_000.01 },
    { orderType: "market", shares: 999_999_999.99 },
  ])(
    "%o is for more than one order may be for, also in preview, and leaves no record",
    async (order) => {
      const user = await userWith(5);
      const refusal = { code: "VALIDATION_ERROR", message: /\b10000000\b/ } as const;
      await expectRefusal(refusal, () => post(user, order));
      const body = orderFor(markets.free, order);
      await expectRefusal(refusal, () =>
        callApi("POST", "/v1/orders/preview", { key: user.apiKey, body }),
      );
    },
  );
});

describe("400 INSUFFICIENT_SHARES", () => {
  it("a sell without shares is rejected", async () => {
    const user = await userWith(5);
    const message = /^This order needs 5 shares; 0 are available\.$/;
    await expectRejection(user, { code: "INSUFFICIENT_SHARES", message }, () =>
      post(user, { action: "SELL", price: 0.9 }),
    );
  });

  it("the message names the need, the available funds and what open orders reserve", async () => {
    const user = await userWith(20);
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", shares: 12 }));
    await place(user.apiKey, orderFor(markets.free, { action: "SELL", price: 0.9, shares: 5 }));
    await place(user.apiKey, orderFor(markets.free, { action: "SELL", price: 0.9, shares: 5.5 }));
    const message =
      /^This order needs 5 shares; 1\.5 are available \(10\.5 are reserved by 2 open sells\)\.$/;
    await expectRejection(user, { code: "INSUFFICIENT_SHARES", message }, () =>
      post(user, { action: "SELL", price: 0.9 }),
    );
  });

  it("shares of one outcome do not cover a sale of the other", async () => {
    const user = await userWith(20);
    await place(user.apiKey, orderFor(markets.free, { orderType: "market", shares: 10 }));
    const tokenId = markets.free.outcomes[1].tokenId;
    const message = /^This order needs 5 shares; 0 are available\.$/;
    await expectRejection(user, { code: "INSUFFICIENT_SHARES", message }, () =>
      post(user, { tokenId, action: "SELL", price: 0.9 }),
    );
  });
});

describe("400 INSUFFICIENT_ALLOWANCE", () => {
  it("reserved funds of open orders count against the allowance", async () => {
    const user = await userWith(20);
    await setAllowance(user.userId, 5_000_000n);
    await place(user.apiKey, orderFor(markets.free, { price: 0.16, shares: 10 }));
    await setAllowance(user.userId, 4_999_999n);
    const message = /\$5\.00\b.*\$4\.99 is approved\.$/;
    await expectRejection(user, { code: "INSUFFICIENT_ALLOWANCE", message }, () =>
      post(user, { price: 0.4, shares: 8.5 }),
    );
    await setAllowance(user.userId, 5_000_000n);
    expect((await post(user, { price: 0.4, shares: 8.5 })).status).toBe(200);
  });

  it("without cash the error names the balance", async () => {
    const user = await userWith(1);
    await setAllowance(user.userId, 0n);
    await expectRejection(user, { code: "INSUFFICIENT_BALANCE" }, () =>
      post(user, { price: 0.4, shares: 12.5 }),
    );
  });
});

describe("200 after the allowance was lowered below the reserved funds", () => {
  it("the allowance is never negative", async () => {
    const [maker, taker] = [await userWith(20), await userWith(20)];
    const price = readQuotes(markets.free).bid + 10_000n;
    await place(maker.apiKey, orderFor(markets.free, { price: microToNumber(price), shares: 10 }));
    await setAllowance(maker.userId, 0n);
    const tokenId = markets.free.outcomes[1].tokenId;
    await place(
      taker.apiKey,
      orderFor(markets.free, { tokenId, price: microToNumber(1_000_000n - price), shares: 10 }),
    );
    expect((await readBalance(maker)).allowanceBaseUnit).toBe(0n);
  });
});
