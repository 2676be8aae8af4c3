import { beforeAll, describe, expect, it } from "vitest";
import { Acknowledgement, OpenOrders, OrderList, OrderRecord } from "@/lib/schemas/orders";
import { tick } from "@/lib/exchange/ticker";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, readData, readError, place, read, readOrder } from "@/tests/support/api/client";
import {
  loadMarkets,
  MINUTE_MS,
  orderFor,
  SECOND_MS,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { sendRaw } from "@/tests/support/api/routes";
import { databaseState, expectRefusal, readWealth } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const faultHeader = (kind: string) => ({ "x-rehearse": kind });
const post = (body: unknown, kind?: string, key = user.apiKey) =>
  callApi("POST", "/v1/orders", {
    key,
    body,
    headers: kind === undefined ? {} : faultHeader(kind),
  });
const remove = (id: string, kind?: string) =>
  callApi("DELETE", `/v1/orders/${id}`, {
    key: user.apiKey,
    headers: kind === undefined ? {} : faultHeader(kind),
  });
const newest = async () => (await read(OrderList, "/v1/orders?limit=1", user.apiKey)).orders[0];

describe("timeout", () => {
  it("502: the order is placed, and a repeat with the same key returns its outcome", async () => {
    const body = orderFor(markets.free, { orderType: "market", amount: 5, idempotencyKey: "t1" });
    const answer = await post(body, "timeout");
    expect({ status: answer.status, code: readError(answer).code }).toEqual({
      status: 502,
      code: "ORDER_OUTCOME_UNKNOWN",
    });
    expect(await newest()).toMatchObject({ status: "filled", idempotencyKey: "t1" });
    const before = await databaseState();
    const again = await post(body);
    expect(readData(Acknowledgement, again)).toMatchObject({
      idempotencyKey: "t1",
      status: "filled",
    });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await databaseState()).toEqual(before);
  });

  it("502: a repeat with the same fault places no other order", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "t2" });
    await post(body, "timeout");
    const before = await databaseState();
    expect((await post(body, "timeout")).status).toBe(502);
    expect(await databaseState()).toEqual(before);
  });

  it("502: a rejection is hidden, too, and a repeat with the same key returns it", async () => {
    const body = orderFor(markets.bidless, {
      orderType: "market",
      action: "SELL",
      shares: 5,
      idempotencyKey: "t3",
    });
    expect((await post(body, "timeout")).status).toBe(502);
    expect(readError(await post(body)).code).toBe("NO_LIQUIDITY");
  });

  it("502 CANCEL_OUTCOME_UNKNOWN on a cancel: the order is canceled", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const answer = await remove(orderId, "timeout");
    expect({ status: answer.status, code: readError(answer).code }).toEqual({
      status: 502,
      code: "CANCEL_OUTCOME_UNKNOWN",
    });
    expect(readData(OrderRecord, await remove(orderId)).status).toBe("canceled");
  });
});

describe("unavailable", () => {
  it("502: nothing changes, and the key stays free", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "u1" });
    const before = await databaseState();
    const answer = await post(body, "unavailable");
    expect({ status: answer.status, code: readError(answer).code }).toEqual({
      status: 502,
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(await databaseState()).toEqual(before);
    expect((await post(body)).headers.get("idempotent-replayed")).toBeNull();
  });

  it("502 on a cancel: the order stays open", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const before = await databaseState();
    expect(readError(await remove(orderId, "unavailable")).code).toBe("UPSTREAM_UNAVAILABLE");
    expect(await databaseState()).toEqual(before);
    await cancel(user.apiKey, orderId);
  });
});

describe("a cancel of all orders", () => {
  const removeAll = (kind: string) =>
    callApi("DELETE", "/v1/orders", { key: user.apiKey, headers: faultHeader(kind) });

  it("cancels nothing with unavailable", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const before = await databaseState();
    expect(readError(await removeAll("unavailable")).code).toBe("UPSTREAM_UNAVAILABLE");
    expect(await databaseState()).toEqual(before);
    await cancel(user.apiKey, orderId);
  });

  it("returns 502 CANCEL_OUTCOME_UNKNOWN with timeout and cancels everything", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    expect(readError(await removeAll("timeout")).code).toBe("CANCEL_OUTCOME_UNKNOWN");
    expect((await readOrder(user.apiKey, orderId)).status).toBe("canceled");
  });

  it("is rejected with an unknown fault", async () => {
    await place(user.apiKey, orderFor(markets.free));
    await expectRefusal({ code: "VALIDATION_ERROR", message: "X-Rehearse" }, () =>
      removeAll("explode"),
    );
  });
});

it("a redemption with X-Rehearse is rejected and changes nothing", async () => {
  await expectRefusal({ code: "VALIDATION_ERROR", message: "X-Rehearse" }, () =>
    callApi("POST", "/v1/positions/1/redeem", {
      key: user.apiKey,
      headers: faultHeader("timeout"),
    }),
  );
});

describe("lost-answer", () => {
  it("the order is placed, the connection breaks, and a repeat with the same key returns its outcome", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "l1" });
    const response = await sendRaw("/v1/orders", {
      method: "POST",
      headers: {
        authorization: `Bearer ${user.apiKey}`,
        "content-type": "application/json",
        ...faultHeader("lost-answer"),
      },
      body: JSON.stringify(body),
    });
    await expect(response.text()).rejects.toThrow();
    expect(await newest()).toMatchObject({ status: "open", idempotencyKey: "l1" });
    const again = await post(body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(readData(Acknowledgement, again).status).toBe("open");
  });

  it("a cancel is executed, and the connection breaks", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const response = await sendRaw(`/v1/orders/${orderId}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${user.apiKey}`, ...faultHeader("lost-answer") },
    });
    await expect(response.text()).rejects.toThrow();
    expect((await readOrder(user.apiKey, orderId)).status).toBe("canceled");
  });
});

describe("slow", () => {
  it("200: the order and the cancel are executed immediately, and their responses take three seconds", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const body = orderFor(markets.free, { idempotencyKey: "s1" });
    const slow = Promise.all([post(body, "slow"), remove(orderId, "slow")]);
    const [placed, canceled] = await slow;
    const answeredAt = Date.now();
    expect([placed.status, canceled.status]).toEqual([200, 200]);
    const order = await newest();
    expect(order?.idempotencyKey).toBe("s1");
    const { status, updatedAt } = await readOrder(user.apiKey, orderId);
    expect(status).toBe("canceled");
    for (const executedAt of [order?.createdAt, updatedAt]) {
      expect(answeredAt - Number(executedAt)).toBeGreaterThan(2_900);
    }
  });
});

describe("delayed", () => {
  it("200: the order is listed as open for three seconds and then matches", async () => {
    const body = orderFor(markets.free, { orderType: "market", shares: 6, idempotencyKey: "d1" });
    const ack = readData(Acknowledgement, await post(body, "delayed"));
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
    const { orderId } = readData(Acknowledgement, await post(body, "delayed"));
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

  it("200: the remainder of a delayed limit order stays open", async () => {
    const body = orderFor(markets.free, { price: 0.02, shares: 7 });
    const { orderId } = readData(Acknowledgement, await post(body, "delayed"));
    clock.advance(3 * SECOND_MS);
    await tick();
    expect((await readOrder(user.apiKey, orderId)).status).toBe("open");
    await cancel(user.apiKey, orderId);
  });

  it("200: a delayed order can be canceled, which releases everything", async () => {
    const fresh = await makeUser();
    const before = await readWealth(fresh.apiKey);
    const body = orderFor(markets.taxed, { orderType: "market", amount: 100 });
    const { orderId } = readData(Acknowledgement, await post(body, "delayed", fresh.apiKey));
    const canceled = await cancel(fresh.apiKey, orderId);
    expect(canceled).toMatchObject({ status: "canceled", fills: [] });
    clock.advance(MINUTE_MS);
    await tick();
    expect((await readOrder(fresh.apiKey, orderId)).status).toBe("canceled");
    const after = await readWealth(fresh.apiKey);
    expect(after.balance).toEqual(before.balance);
    const all = { orderType: "market", amount: 1_000 };
    expect((await post(orderFor(markets.free, all), undefined, fresh.apiKey)).status).toBe(200);
  });

  it("200: a replay returns the stored response with status delayed", async () => {
    const body = orderFor(markets.free, { orderType: "market", shares: 5, idempotencyKey: "d2" });
    const first = await post(body, "delayed");
    clock.advance(3 * SECOND_MS);
    await tick();
    expect((await post(body)).text).toBe(first.text);
  });

  it("200 on a cancel: the header has no effect", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    expect(readData(OrderRecord, await remove(orderId, "delayed")).status).toBe("canceled");
  });
});

describe("400", () => {
  it.each(["", "TIMEOUT", "timeout,slow", "explode", "__proto__"])(
    "an unknown fault is rejected and changes nothing: %j",
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
    "an invalid body is rejected as usual with %s",
    async (kind) => {
      await expectRefusal({ code: "VALIDATION_ERROR", message: "price" }, () =>
        post(orderFor(markets.free, { price: 2 }), kind),
      );
      await expectRefusal({ code: "PRICE_OFF_TICK" }, () =>
        post(orderFor(markets.free, { price: 0.015 }), kind),
      );
    },
  );

  it("reads ignore the header", async () => {
    const answer = await callApi("GET", "/v1/orders", {
      key: user.apiKey,
      headers: faultHeader("unavailable"),
    });
    expect(answer.status).toBe(200);
  });
});
