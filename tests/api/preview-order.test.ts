import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { ErrorCode } from "@/lib/errors";
import { OrderPreview } from "@/lib/schemas/orders";
import { microToNumber } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, readData, readError, place, placeAndRead } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import {
  databaseState,
  expectError,
  expectRefusal,
  expectUnchanged,
  readWealth,
} from "@/tests/support/api/state";
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

/** Requests a preview and checks that it changes nothing. */
async function preview(body: unknown, key = user.apiKey): Promise<z.output<typeof OrderPreview>> {
  const before = await databaseState();
  const answer = readData(OrderPreview, await post(body, key));
  expect(await databaseState()).toEqual(before);
  return answer;
}

describe("200", () => {
  it("the response has every documented field", async () => {
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
      needsApproval: false,
      holdUsdc: 2,
      holdShares: 0,
      availableUsdc: 1_000,
      availableShares: 0,
      timeInForce: "GTC",
      expiresAt: null,
      postOnly: false,
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
  ])("%s executes like its preview, for both outcomes", async (_name, fields) => {
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

  it("a market order without a price shows its default limit", async () => {
    const { ask } = readQuotes(markets.free);
    const told = await preview(orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect(told.limitPrice).toBe(ask + 50_000n);
  });

  it("the hold of the preview is exactly sufficient", async () => {
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
  ])("a rejection %s has the same message as its placement", async (code, fields) => {
    const fresh = await makeUser();
    const body = orderFor(markets.free, fields);
    const told = await preview(body, fresh.apiKey);
    const answer = await callApi("POST", "/v1/orders", { key: fresh.apiKey, body });
    expect(told.refusal).toEqual(readError(answer));
    expect(told.refusal?.code).toBe(code);
  });

  it("reserved funds of open orders are not available", async () => {
    const fresh = await makeUser();
    await place(fresh.apiKey, orderFor(markets.free, { price: 0.3, shares: 100 }));
    const told = await preview(orderFor(markets.free), fresh.apiKey);
    expect(told.availableUsdc).toBe(970_000_000n);
  });

  it("a preview neither claims nor looks up an idempotencyKey", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "only-looking" });
    await preview(body);
    await place(user.apiKey, { ...body, price: 0.02 });
    expect((await preview(body)).refusal).toBeNull();
  });

  it("a read-only key is sufficient", async () => {
    const reader = await makeUser(undefined, ["read"]);
    expect((await preview(orderFor(markets.free), reader.apiKey)).refusal).toBeNull();
  });

  it.each<[string, Record<string, unknown>]>([
    ["a limit order for the maximum shares", { price: 0.99, shares: 9_999_999.99 }],
    ["a market order for more than the largest amount", { orderType: "market", amount: 99_999.99 }],
  ])("%s has a preview with insufficient funds", async (_name, fields) => {
    const told = await preview(orderFor(markets.taxed, fields));
    expect(told.refusal?.code).toBe("INSUFFICIENT_BALANCE");
  });

  it("a preview does not change the account", async () => {
    const before = await readWealth(user.apiKey);
    await preview(orderFor(markets.free, { orderType: "market", amount: 5 }));
    expect(await readWealth(user.apiKey)).toEqual(before);
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
  ])("an invalid body is rejected like its placement: %s", async (code, fields) => {
    const body = orderFor(markets.free, fields);
    await expectUnchanged(async () => {
      const answer = await post(body);
      expectError(answer, { code });
      const placing = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
      expect(placing.text).toBe(answer.text);
    });
  });

  it("a closed market is rejected", async () => {
    const { short } = markets;
    clock.advance(short.closesAt.getTime() - clock.now());
    const price = microToNumber(100_000n);
    await expectRefusal({ code: "MARKET_CLOSED" }, () =>
      post(orderFor(short, { price, shares: 10 })),
    );
  });
});

describe("404", () => {
  it("an unknown token is rejected", () =>
    expectRefusal({ code: "MARKET_NOT_FOUND" }, () =>
      post(orderFor(markets.free, { tokenId: "1" })),
    ));
});
