import { beforeAll, describe, expect, it } from "vitest";
import { Acknowledgement, OpenOrders, OrderList, OrderRecord } from "@/lib/schemas/orders";
import { tick } from "@/lib/venue/paper/ticker";
import { callApi } from "@/tests/support/api";
import { cancel, dataOf, errorOf, place, read, readOrder } from "@/tests/support/api-client";
import {
  loadMarkets,
  MINUTE_MS,
  orderFor,
  SECOND_MS,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api-exchange";
import { sendRaw } from "@/tests/support/api-routes";
import { databaseState, expectRefusal, wealthOf } from "@/tests/support/api-state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const rehearse = (kind: string) => ({ "x-rehearse": kind });
const post = (body: unknown, kind?: string, key = user.apiKey) =>
  callApi("POST", "/v1/orders", { key, body, headers: kind === undefined ? {} : rehearse(kind) });
const remove = (id: string, kind?: string) =>
  callApi("DELETE", `/v1/orders/${id}`, {
    key: user.apiKey,
    headers: kind === undefined ? {} : rehearse(kind),
  });
const newest = async () => (await read(OrderList, "/v1/orders?limit=1", user.apiKey)).orders[0];

describe("timeout", () => {
  it("502: the order is placed, its outcome is not told, and the same key learns it", async () => {
    const body = orderFor(markets.free, { orderType: "market", amount: 5, idempotencyKey: "t1" });
    const answer = await post(body, "timeout");
    expect({ status: answer.status, code: errorOf(answer).code }).toEqual({
      status: 502,
      code: "ORDER_OUTCOME_UNKNOWN",
    });
    expect(await newest()).toMatchObject({ status: "filled", idempotencyKey: "t1" });
    const before = await databaseState();
    const again = await post(body);
    expect(dataOf(Acknowledgement, again)).toMatchObject({
      idempotencyKey: "t1",
      status: "filled",
    });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await databaseState()).toEqual(before);
  });

  it("502: a repeat that rehearses again places nothing more", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "t2" });
    await post(body, "timeout");
    const before = await databaseState();
    expect((await post(body, "timeout")).status).toBe(502);
    expect(await databaseState()).toEqual(before);
  });

  it("502: a refusal for good hides behind it, too, and the same key learns it", async () => {
    const body = orderFor(markets.bidless, {
      orderType: "market",
      action: "SELL",
      shares: 5,
      idempotencyKey: "t3",
    });
    expect((await post(body, "timeout")).status).toBe(502);
    expect(errorOf(await post(body)).code).toBe("NO_LIQUIDITY");
  });

  it("502 on a cancel: the order is canceled all the same", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const answer = await remove(orderId, "timeout");
    expect({ status: answer.status, code: errorOf(answer).code }).toEqual({
      status: 502,
      code: "ORDER_OUTCOME_UNKNOWN",
    });
    expect(dataOf(OrderRecord, await remove(orderId)).status).toBe("canceled");
  });
});

describe("unavailable", () => {
  it("502: nothing is done, and the key is free", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "u1" });
    const before = await databaseState();
    const answer = await post(body, "unavailable");
    expect({ status: answer.status, code: errorOf(answer).code }).toEqual({
      status: 502,
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await databaseState()).toEqual(before);
    expect((await post(body)).headers.get("idempotent-replayed")).toBeNull();
  });

  it("502 on a cancel: the order stays open", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const before = await databaseState();
    expect(errorOf(await remove(orderId, "unavailable")).code).toBe("UPSTREAM_UNAVAILABLE");
    expect(await databaseState()).toEqual(before);
    await cancel(user.apiKey, orderId);
  });
});

describe("lost-answer", () => {
  it("the order is placed, its answer breaks off, and the same key learns it", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "l1" });
    const response = await sendRaw("/v1/orders", {
      method: "POST",
      headers: {
        authorization: `Bearer ${user.apiKey}`,
        "content-type": "application/json",
        ...rehearse("lost-answer"),
      },
      body: JSON.stringify(body),
    });
    await expect(response.text()).rejects.toThrow();
    expect(await newest()).toMatchObject({ status: "open", idempotencyKey: "l1" });
    const again = await post(body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(dataOf(Acknowledgement, again).status).toBe("open");
  });

  it("a cancel is done, though its answer breaks off", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const response = await sendRaw(`/v1/orders/${orderId}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${user.apiKey}`, ...rehearse("lost-answer") },
    });
    await expect(response.text()).rejects.toThrow();
    expect((await readOrder(user.apiKey, orderId)).status).toBe("canceled");
  });
});

describe("slow", () => {
  it("200: the order and the cancel are done at once, their answers take three seconds", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const startedAt = performance.now();
    const body = orderFor(markets.free, { idempotencyKey: "s1" });
    const slow = Promise.all([post(body, "slow"), remove(orderId, "slow")]);
    const patience = { timeout: 2_500 };
    await expect.poll(async () => (await newest())?.idempotencyKey, patience).toBe("s1");
    const status = async () => (await readOrder(user.apiKey, orderId)).status;
    await expect.poll(status, patience).toBe("canceled");
    expect(performance.now() - startedAt).toBeLessThan(2_900);
    const [placed, canceled] = await slow;
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    expect([placed.status, canceled.status]).toEqual([200, 200]);
  });
});

describe("delayed", () => {
  it("200: the order waits three seconds, listed as open, then takes what the book has", async () => {
    const body = orderFor(markets.free, { orderType: "market", shares: 6, idempotencyKey: "d1" });
    const ack = dataOf(Acknowledgement, await post(body, "delayed"));
    expect(ack).toMatchObject({ status: "delayed", idempotencyKey: "d1" });
    const { orders } = await read(OpenOrders, `/v1/orders/open?id=${ack.orderId}`, user.apiKey);
    expect(orders).toMatchObject([
      { id: ack.orderId, status: "open", type: "market", shares: 6_000_000n },
    ]);
    clock.advance(3 * SECOND_MS - 1);
    await tick();
    expect(await readOrder(user.apiKey, ack.orderId)).toMatchObject({
      status: "delayed",
      filledShares: 0n,
    });
    clock.advance(1);
    await tick();
    const record = await readOrder(user.apiKey, ack.orderId);
    expect(record).toMatchObject({ status: "filled", filledShares: 6_000_000n });
    expect(record.events.map((event) => event.type)).toEqual([
      "received",
      "delayed",
      "matched",
      "filled",
    ]);
    expect(record.fills[0]?.createdAt.getTime()).toBe(record.createdAt.getTime() + 3 * SECOND_MS);
  });

  it("200: a delayed buy by amount is listed with 0 shares, and spends no more than its amount", async () => {
    const body = orderFor(markets.taxed, { orderType: "market", amount: 7 });
    const { orderId } = dataOf(Acknowledgement, await post(body, "delayed"));
    const { orders } = await read(OpenOrders, `/v1/orders/open?id=${orderId}`, user.apiKey);
    expect(orders).toMatchObject([{ shares: 0n, status: "open" }]);
    clock.advance(3 * SECOND_MS);
    await tick();
    const record = await readOrder(user.apiKey, orderId);
    const spent = record.fills.reduce((total, fill) => total + fill.amount, 0n);
    expect(record.status).toBe("filled");
    expect(spent).toBeLessThanOrEqual(7_000_000n);
    expect(spent).toBeGreaterThan(6_980_000n);
  });

  it("200: a delayed limit order rests with what the book does not take", async () => {
    const body = orderFor(markets.free, { price: 0.02, shares: 7 });
    const { orderId } = dataOf(Acknowledgement, await post(body, "delayed"));
    clock.advance(3 * SECOND_MS);
    await tick();
    expect((await readOrder(user.apiKey, orderId)).status).toBe("open");
    await cancel(user.apiKey, orderId);
  });

  it("200: a delayed order can be canceled, which gives everything back", async () => {
    const fresh = await makeUser();
    const before = await wealthOf(fresh.apiKey);
    const body = orderFor(markets.taxed, { orderType: "market", amount: 100 });
    const { orderId } = dataOf(Acknowledgement, await post(body, "delayed", fresh.apiKey));
    const canceled = await cancel(fresh.apiKey, orderId);
    expect(canceled).toMatchObject({ status: "canceled", fills: [] });
    clock.advance(MINUTE_MS);
    await tick();
    expect((await readOrder(fresh.apiKey, orderId)).status).toBe("canceled");
    const after = await wealthOf(fresh.apiKey);
    expect(after.balance).toEqual(before.balance);
    const all = { orderType: "market", amount: 1_000 };
    expect((await post(orderFor(markets.free, all), undefined, fresh.apiKey)).status).toBe(200);
  });

  it("200: a replay tells the answer that was given, delayed", async () => {
    const body = orderFor(markets.free, { orderType: "market", shares: 5, idempotencyKey: "d2" });
    const first = await post(body, "delayed");
    clock.advance(3 * SECOND_MS);
    await tick();
    expect((await post(body)).text).toBe(first.text);
  });

  it("200 on a cancel: it is done as without the header", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    expect(dataOf(OrderRecord, await remove(orderId, "delayed")).status).toBe("canceled");
  });
});

describe("400", () => {
  it.each(["", "TIMEOUT", "timeout,slow", "explode", "__proto__"])(
    "a rehearsal that does not exist is refused, and nothing is done: %j",
    async (kind) => {
      await expectRefusal({ code: "VALIDATION_ERROR", message: "X-Rehearse" }, () =>
        post(orderFor(markets.free), kind),
      );
      const { orderId } = await place(user.apiKey, orderFor(markets.free));
      await expectRefusal({ code: "VALIDATION_ERROR", message: "X-Rehearse" }, () =>
        remove(orderId, kind),
      );
    },
  );

  it.each(["timeout", "lost-answer", "slow", "delayed"])(
    "a body that is refused is refused as ever under %s",
    async (kind) => {
      await expectRefusal({ code: "VALIDATION_ERROR", message: "price" }, () =>
        post(orderFor(markets.free, { price: 2 }), kind),
      );
      await expectRefusal({ code: "PRICE_OFF_TICK" }, () =>
        post(orderFor(markets.free, { price: 0.015 }), kind),
      );
    },
  );

  it("reads know no rehearsal: the header means nothing there", async () => {
    const answer = await callApi("GET", "/v1/orders", {
      key: user.apiKey,
      headers: rehearse("unavailable"),
    });
    expect(answer.status).toBe(200);
  });
});
