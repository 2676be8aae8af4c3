import { beforeAll, describe, expect, it } from "vitest";
import { Balance } from "@/lib/schemas/account";
import { OpenOrders, OrderList } from "@/lib/schemas/orders";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, place, read, readOrder } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let other: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  other = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const get = (id: string, key = user.apiKey) => callApi("GET", `/v1/orders/${id}`, { key });
const INSTANT = "2026-11-21T12:00:02.000Z";

describe("200", () => {
  it("a record has the addresses of the balance, with the spelling funder_address", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const record = await readOrder(user.apiKey, orderId);
    const balance = await read(Balance, "/v1/account/balance", user.apiKey);
    expect(record.userId).toBe(balance.userId);
    expect(record.address).toBe(balance.address);
    expect(record.funder_address).toBe(balance.funderAddress);
  });

  it("the record of an open order has every documented field", async () => {
    const { free } = markets;
    const body = orderFor(free, { price: 0.04, shares: 7.5, idempotencyKey: "the-record" });
    const { orderId } = await place(user.apiKey, body);
    expect((await get(orderId)).body.data).toEqual({
      userId: user.userId,
      address: user.address,
      funder_address: user.funderAddress,
      id: orderId,
      status: "open",
      action: "BUY",
      side: "YES",
      type: "limit",
      timeInForce: "GTC",
      expiresAt: null,
      postOnly: false,
      tokenId: free.outcomes[0].tokenId,
      marketId: free.id,
      price: 0.04,
      shares: 7.5,
      amount: null,
      filledShares: 0,
      remainingShares: 7.5,
      avgFillPrice: null,
      fee: 0,
      origin: "ante",
      idempotencyKey: "the-record",
      createdAt: INSTANT,
      updatedAt: INSTANT,
      fills: [],
      events: [
        { type: "received", keyId: user.principal.keyId, detail: {}, createdAt: INSTANT },
        { type: "opened", keyId: null, detail: {}, createdAt: INSTANT },
      ],
    });
  });

  it("the record of a filled order has every fill, and its totals follow from them", async () => {
    const body = orderFor(markets.taxed, { orderType: "market", amount: 50 });
    const { orderId } = await place(user.apiKey, body);
    const record = await readOrder(user.apiKey, orderId);
    expect(record.fills.length).toBeGreaterThan(0);
    let [shares, amount, fee] = [0n, 0n, 0n];
    for (const fill of record.fills) {
      expect(fill.amount).toBe((fill.shares * fill.price) / 1_000_000n);
      expect(fill.role).toBe("taker");
      shares += fill.shares;
      amount += fill.amount;
      fee += fill.fee;
    }
    expect(record).toMatchObject({ status: "filled", filledShares: shares, fee });
    expect(record.avgFillPrice).toBe((amount * 1_000_000n) / shares);
    const matched = record.events.filter((event) => event.type === "matched");
    expect(matched.map((event) => event.detail["fillId"])).toEqual(
      record.fills.map((fill) => fill.id),
    );
  });

  it("an order is returned in every status, and lists have the same record", async () => {
    const placed = {
      open: orderFor(markets.free),
      canceled: orderFor(markets.free),
      filled: orderFor(markets.free, { orderType: "market", amount: 2 }),
      rejected: orderFor(markets.bidless, { orderType: "market", action: "SELL", shares: 5 }),
    };
    for (const [status, body] of Object.entries(placed)) {
      const answer = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
      const id = answer.headers.get("location")?.slice("/v1/orders/".length) ?? "";
      if (status === "canceled") await cancel(user.apiKey, id);
      const { fills, events, ...summary } = await readOrder(user.apiKey, id);
      expect(summary.status).toBe(status);
      expect(fills.length > 0).toBe(status === "filled");
      expect(events.length).toBeGreaterThan(1);
      const { orders } = await read(OrderList, "/v1/orders", user.apiKey);
      expect(orders.find((order) => order.id === id)).toEqual(summary);
    }
  });

  it("a percent-encoded id is decoded", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const encoded = orderId.replace("_", "%5F").replace("o", "%6f");
    expect((await get(encoded)).text).toBe((await get(orderId)).text);
  });

  it("a second read returns the same bytes", async () => {
    const { orders } = await read(OpenOrders, "/v1/orders/open", user.apiKey);
    const id = orders[0]?.id ?? "";
    expect((await get(id)).text).toBe((await get(id)).text);
  });
});

describe("404", () => {
  it("another user's order has the same response as an unknown order, byte for byte", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const unknown = await get("ord_01JD0000000000000000000000", other.apiKey);
    const foreign = await get(orderId, other.apiKey);
    expect(foreign.text).toBe(unknown.text);
    expect(foreign.status).toBe(404);
    const headers = (answer: typeof foreign) =>
      [...answer.headers].filter(([name]) => name !== "x-request-id");
    expect(headers(foreign)).toEqual(headers(unknown));
  });

  it.each([
    "x",
    "open%20",
    "preview",
    "%00",
    "ord_01JD0000000000000000000000%00",
    "ord_01jd0000000000000000000000",
    "ord_8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "ORD_01JD0000000000000000000000",
    " ord_01JD0000000000000000000000",
    "a%2Fb",
    "..%2Fopen",
    "%F0%9F%98%80",
    "'%20or%201=1--",
    "%25",
    "x".repeat(3_000),
  ])("%j is not found", async (id) => {
    await expectRefusal({ code: "ORDER_NOT_FOUND" }, () => get(id));
  });

  it("an empty id is an unknown path", async () => {
    await expectRefusal({ code: "ROUTE_NOT_FOUND" }, () => get(""));
  });
});

describe("400", () => {
  it.each(["%", "%f", "%ff", "%zz", "ord_%C3%28", "%ED%A0%80"])(
    "an id that cannot be decoded is rejected: %j",
    async (id) => {
      await expectRefusal({ code: "MALFORMED_URL" }, () => get(id));
    },
  );
});
