import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { ErrorCode } from "@/lib/errors";
import { OrderPreview } from "@/lib/schemas/orders";
import { microToNumber } from "@/lib/units";
import { callApi } from "@/tests/support/api";
import { cancel, dataOf, errorOf, place, placeAndRead } from "@/tests/support/api-client";
import {
  loadMarkets,
  orderFor,
  quotesOf,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api-exchange";
import {
  databaseState,
  expectError,
  expectRefusal,
  expectUnchanged,
  wealthOf,
} from "@/tests/support/api-state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
  const { outcomes } = markets.taxed;
  for (const { tokenId } of outcomes) {
    await place(user.apiKey, orderFor(markets.taxed, { tokenId, orderType: "market", shares: 60 }));
  }
});

const post = (body: unknown, key = user.apiKey) =>
  callApi("POST", "/v1/orders/preview", { key, body });

/** Asks for a preview, which must change nothing. */
async function preview(body: unknown, key = user.apiKey): Promise<z.output<typeof OrderPreview>> {
  const before = await databaseState();
  const answer = dataOf(OrderPreview, await post(body, key));
  expect(await databaseState()).toEqual(before);
  return answer;
}

describe("200", () => {
  it("has every documented field, on the wire", async () => {
    const fresh = await makeUser();
    const answer = await post(orderFor(markets.free, { price: 0.2, shares: 10 }), fresh.apiKey);
    expect(answer.body.data).toEqual({
      refusal: null,
      avgPrice: null,
      worstPrice: null,
      limitPrice: 0.2,
      shares: 0,
      restingShares: 10,
      amount: 0,
      fee: 0,
      cost: 0,
      holdUsdc: 2,
      holdShares: 0,
      availableUsdc: 1_000,
      availableShares: 0,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["a market buy by amount", { orderType: "market", amount: 33.33 }],
    ["a market buy by shares", { orderType: "market", shares: 12.34 }],
    ["a market sell", { orderType: "market", action: "SELL", shares: 20.02 }],
    ["a limit buy that crosses", { price: 0.9, shares: 15 }],
    ["a limit buy by amount that crosses", { price: 0.9, amount: 9.87 }],
    ["a limit sell that crosses", { action: "SELL", price: 0.1, shares: 15 }],
    ["a limit buy that rests", { price: 0.1, shares: 15 }],
    ["a limit sell that rests", { action: "SELL", price: 0.95, shares: 5 }],
  ])("%s does what its preview said, for both outcomes", async (_name, fields) => {
    for (const { tokenId } of markets.taxed.outcomes) {
      const body = orderFor(markets.taxed, { tokenId, ...fields });
      const told = await preview(body);
      const record = await placeAndRead(user.apiKey, body);
      const amount = record.fills.reduce((total, fill) => total + fill.amount, 0n);
      expect(told).toMatchObject({
        refusal: null,
        avgPrice: record.avgFillPrice,
        worstPrice: record.fills.at(-1)?.price ?? null,
        shares: record.filledShares,
        restingShares: record.status === "open" ? record.remainingShares : 0n,
        amount,
        fee: record.fee,
        cost: record.action === "BUY" ? amount + record.fee : amount - record.fee,
      });
      if (record.price !== null) expect(told.limitPrice).toBe(record.price);
      if (record.status === "open") await cancel(user.apiKey, record.id);
    }
  });

  it("a market order without a price shows the limit that it would get", async () => {
    const { ask } = quotesOf(markets.free);
    const told = await preview(orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect(told.limitPrice).toBe(ask + 50_000n);
  });

  it("what the preview says must be available is exactly enough", async () => {
    const body = orderFor(markets.taxed, { orderType: "market", amount: 40 });
    const { holdUsdc } = await preview(body);
    expect(holdUsdc).toBeGreaterThan(40_000_000n);
    const [rich, poor] = [
      await makeUser(holdUsdc),
      await makeUser((holdUsdc - 1n) as typeof holdUsdc),
    ];
    expect((await preview(body, rich.apiKey)).refusal).toBeNull();
    expect((await preview(body, poor.apiKey)).refusal?.code).toBe("INSUFFICIENT_BALANCE");
    expect((await callApi("POST", "/v1/orders", { key: poor.apiKey, body })).status).toBe(400);
    expect((await callApi("POST", "/v1/orders", { key: rich.apiKey, body })).status).toBe(200);
  });

  it.each<[ErrorCode, Record<string, unknown>]>([
    ["INSUFFICIENT_BALANCE", { price: 0.4, shares: 5_000 }],
    ["INSUFFICIENT_SHARES", { action: "SELL", price: 0.9, shares: 5_000 }],
    ["NO_LIQUIDITY", { orderType: "market", amount: 5, price: 0.01 }],
    ["ORDER_TOO_SMALL", { orderType: "market", shares: 0.01 }],
  ])("a refusal %s is told word for word as placing would answer it", async (code, fields) => {
    const fresh = await makeUser();
    const body = orderFor(markets.free, fields);
    const told = await preview(body, fresh.apiKey);
    const answer = await callApi("POST", "/v1/orders", { key: fresh.apiKey, body });
    expect(told.refusal).toEqual(errorOf(answer));
    expect(told.refusal?.code).toBe(code);
  });

  it("what open orders reserve is not available", async () => {
    const fresh = await makeUser();
    await place(fresh.apiKey, orderFor(markets.free, { price: 0.3, shares: 100 }));
    const told = await preview(orderFor(markets.free), fresh.apiKey);
    expect(told.availableUsdc).toBe(970_000_000n);
  });

  it("an idempotencyKey is neither claimed nor looked up by a preview", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "only-looking" });
    await preview(body);
    await place(user.apiKey, { ...body, price: 0.02 });
    expect((await preview(body)).refusal).toBeNull();
  });

  it("a key that may only read is enough", async () => {
    const reader = await makeUser(undefined, ["read"]);
    expect((await preview(orderFor(markets.free), reader.apiKey)).refusal).toBeNull();
  });

  it.each<[string, Record<string, unknown>]>([
    ["a limit order for all the shares there are", { price: 0.99, shares: 999_999_999.99 }],
    ["a market order for all the money there is", { orderType: "market", amount: 999_999_999.99 }],
  ])("%s is previewed as unaffordable", async (_name, fields) => {
    const told = await preview(orderFor(markets.taxed, fields));
    expect(told.refusal?.code).toBe("INSUFFICIENT_BALANCE");
  });

  it("a preview leaves the account as it was", async () => {
    const before = await wealthOf(user.apiKey);
    await preview(orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect(await wealthOf(user.apiKey)).toEqual(before);
  });
});

describe("400", () => {
  it.each<[ErrorCode, Record<string, unknown>]>([
    ["VALIDATION_ERROR", { price: 2 }],
    ["VALIDATION_ERROR", { idempotencyKey: "" }],
    ["VALIDATION_ERROR", { price: 0.01, shares: undefined, amount: 999_999_999 }],
    ["PRECISION_TOO_HIGH", { shares: 5.001 }],
    ["PRICE_REQUIRED", { price: undefined }],
    ["CONFLICTING_FIELDS", { amount: 5, shares: 5 }],
    ["AMOUNT_OR_SHARES_REQUIRED", { shares: undefined }],
    ["INVALID_TICK_SIZE", { tickSize: "0.1" }],
    ["PRICE_OFF_TICK", { price: 0.015 }],
    ["ORDER_TOO_SMALL", { shares: 1 }],
  ])("what is wrong with the body itself is refused as by placing it: %s", async (code, fields) => {
    const body = orderFor(markets.free, fields);
    await expectUnchanged(async () => {
      const answer = await post(body);
      expectError(answer, { code });
      const placing = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
      expect(placing.text).toBe(answer.text);
    });
  });

  it("a closed market is refused", async () => {
    const { short } = markets;
    clock.advance(short.closesAt.getTime() - clock.now());
    const price = microToNumber(100_000n);
    await expectRefusal({ code: "MARKET_CLOSED" }, () =>
      post(orderFor(short, { price, shares: 10 })),
    );
  });
});

describe("404", () => {
  it("an unknown token is refused", () =>
    expectRefusal({ code: "MARKET_NOT_FOUND" }, () =>
      post(orderFor(markets.free, { tokenId: "1" })),
    ));
});
