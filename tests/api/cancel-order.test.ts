import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { getDatabase, useDatabase } from "@/lib/db/client";
import { MarketDetail } from "@/lib/schemas/markets";
import { microToNumber } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import {
  cancel,
  readError,
  place,
  placeAndRead,
  read,
  readOrder,
} from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  type TestMarkets,
  readTick,
  useExchange,
} from "@/tests/support/api/exchange";
import { expectError, expectRefusal, expectUnchanged, readWealth } from "@/tests/support/api/state";
import { openAgain } from "@/tests/support/database/fresh-database";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let other: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  other = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const remove = (id: string, key = user.apiKey) => callApi("DELETE", `/v1/orders/${id}`, { key });

/** Places orders just below the market until one fills before its cancel. */
async function raceTheFill() {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const taxed = await read(MarketDetail, `/v1/markets/${markets.taxed.id}`, user.apiKey);
    const price = microToNumber(readQuotes(taxed).ask - readTick(taxed));
    const order = await placeAndRead(user.apiKey, orderFor(taxed, { price, shares: 5 }));
    clock.advance(60_000);
    const answer = await remove(order.id);
    if (answer.status !== 200) return { answer, orderId: order.id };
  }
  throw new Error("the market never moved towards the order");
}

describe("200", () => {
  it("an open order is canceled, and its reservation is released", async () => {
    const before = await readWealth(user.apiKey);
    const { orderId } = await place(user.apiKey, orderFor(markets.free, { shares: 50 }));
    clock.advance(1_500);
    const record = await cancel(user.apiKey, orderId);
    expect(record).toMatchObject({
      id: orderId,
      status: "canceled",
      filledShares: 0n,
      remainingShares: 50_000_000n,
      userId: user.userId,
      address: user.address,
      funder_address: user.funderAddress,
    });
    expect(record.updatedAt.getTime() - record.createdAt.getTime()).toBe(1_500);
    expect(record.events.at(-1)).toMatchObject({
      type: "canceled",
      keyId: user.principal.keyId,
      detail: { reason: "requested" },
    });
    expect(await readOrder(user.apiKey, orderId)).toEqual(record);
    const { open, balance } = await readWealth(user.apiKey);
    expect({ open, balance }).toEqual({ open: before.open, balance: before.balance });
  });

  it("a repeated cancel returns the same record and changes nothing", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const first = await remove(orderId);
    const before = await readWealth(user.apiKey);
    clock.advance(1_000);
    const second = await remove(orderId);
    expect({ status: second.status, text: second.text }).toEqual({
      status: 200,
      text: first.text,
    });
    expect(await readWealth(user.apiKey)).toEqual(before);
  });

  it("filled parts stay filled: filled and released funds add up to the order", async () => {
    const { taxed } = markets;
    const at = readQuotes(taxed).bid + readTick(taxed);
    const body = orderFor(taxed, { price: microToNumber(at), shares: 30 });
    const { orderId } = await place(user.apiKey, body);
    const tokenId = taxed.outcomes[1].tokenId;
    const price = microToNumber(1_000_000n - at);
    await place(other.apiKey, orderFor(taxed, { tokenId, price, shares: 11.5 }));
    const before = await readWealth(user.apiKey);
    const record = await cancel(user.apiKey, orderId);
    expect(record).toMatchObject({
      status: "canceled",
      filledShares: 11_500_000n,
      remainingShares: 18_500_000n,
      avgFillPrice: at,
    });
    expect(record.filledShares + (record.remainingShares ?? 0n)).toBe(record.shares);
    const after = await readWealth(user.apiKey);
    expect(after.balance).toEqual(before.balance);
    expect(after.exchange).toMatchObject({ positions: before.exchange["positions"] });
    // All cash is available again: an order for all of it is accepted.
    const all = after.balance.balanceBaseUnit;
    const cents = all - (all % 10_000n);
    const whole = orderFor(markets.free, { price: 0.01, shares: microToNumber(cents) * 100 });
    await cancel(user.apiKey, (await place(user.apiKey, whole)).orderId);
  });

  it("a canceled sell releases its shares", async () => {
    await place(other.apiKey, orderFor(markets.free, { orderType: "market", shares: 10 }));
    const sell = orderFor(markets.free, { action: "SELL", price: 0.95, shares: 10 });
    const { orderId } = await place(other.apiKey, sell);
    await cancel(other.apiKey, orderId);
    await cancel(other.apiKey, (await place(other.apiKey, sell)).orderId);
  });

  it("20 concurrent cancels all return the same record", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(orderId)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const { events } = await readOrder(user.apiKey, orderId);
    expect(events.filter((event) => event.type === "canceled")).toHaveLength(1);
  });

  it("a cancel-only key is sufficient, and the body of a DELETE is ignored", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const answer = await callApi("DELETE", `/v1/orders/${orderId}`, {
      key: user.apiKey,
      body: "{not json",
    });
    expect(answer.status).toBe(200);
  });
});

describe("400", () => {
  it("a filled order is not cancelable, and the message names its status", async () => {
    const body = orderFor(markets.free, { orderType: "market", amount: 5 });
    const { orderId } = await place(user.apiKey, body);
    await expectRefusal({ code: "ORDER_NOT_CANCELABLE", message: /\bfilled\b/ }, () =>
      remove(orderId),
    );
  });

  it("a rejected order is not cancelable, and the message names its status", async () => {
    const body = orderFor(markets.bidless, { orderType: "market", action: "SELL", shares: 5 });
    const answer = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
    expect(readError(answer).code).toBe("NO_LIQUIDITY");
    const id = answer.headers.get("location")?.slice("/v1/orders/".length) ?? "";
    await expectRefusal({ code: "ORDER_NOT_CANCELABLE", message: /\brejected\b/ }, () =>
      remove(id),
    );
  });

  it("an order whose limit the market has reached is filled, not canceled", async () => {
    const raced = await raceTheFill();
    expect(readError(raced.answer)).toMatchObject({
      code: "ORDER_NOT_CANCELABLE",
      message: expect.stringContaining("filled") as string,
    });
    const record = await readOrder(user.apiKey, raced.orderId);
    expect(record).toMatchObject({ status: "filled", remainingShares: 0n });
  });

  it("an id that cannot be decoded is rejected", async () => {
    await expectRefusal({ code: "MALFORMED_URL" }, () => remove("%ff"));
  });
});

describe("404", () => {
  it("another user's order has the same response as an unknown order, byte for byte", async () => {
    const { orderId } = await place(user.apiKey, orderFor(markets.free));
    const answers: string[] = [];
    await expectUnchanged(async () => {
      for (const id of [orderId, "ord_01JD0000000000000000000000"]) {
        const answer = await remove(id, other.apiKey);
        expectError(answer, { code: "ORDER_NOT_FOUND" });
        const headers = [...answer.headers].filter(([name]) => name !== "x-request-id");
        answers.push(JSON.stringify([answer.text, headers]));
      }
    });
    expect(answers[0]).toBe(answers[1]);
    expect((await readOrder(user.apiKey, orderId)).status).toBe("open");
  });

  it.each(["open", "preview", "x", "%00", "a%2Fb"])("%j is not found", async (id) => {
    await expectRefusal({ code: "ORDER_NOT_FOUND" }, () => remove(id));
  });
});

describe("200 and 400 once the market is closed", () => {
  it("an order that ended with the market is already canceled, with the close as its reason", async () => {
    const { short } = await loadMarkets(user.apiKey);
    const price = microToNumber(readTick(short));
    const { orderId } = await place(user.apiKey, orderFor(short, { price, shares: 20 }));
    const before = await readWealth(user.apiKey);
    clock.advance(short.closesAt.getTime() - clock.now());
    const record = await cancel(user.apiKey, orderId);
    expect(record.status).toBe("canceled");
    expect(record.events.at(-1)?.detail).toEqual({ reason: "market_closed" });
    expect((await readWealth(user.apiKey)).balance).toEqual(before.balance);
    expect((await remove(orderId)).status).toBe(200);
  });
});

// The embedded database has one connection, so requests cannot wait for each other's locks.
if (process.env["TEST_DATABASE"] === "postgres") {
  describe("502", () => {
    it.each(["lock_timeout", "statement_timeout"])(
      "while others lock the market for longer than the %s, nothing changes and the cancel can be repeated",
      async (timeout) => {
        const original = await getDatabase();
        const { free } = markets;
        const { orderId } = await place(user.apiKey, orderFor(free));
        const hasty = await openAgain({ [timeout]: "300" });
        try {
          await original.db.transaction(async (tx) => {
            await tx.execute(sql`select id from markets where id = ${free.id} for update`);
            useDatabase(hasty);
            await expectRefusal({ code: "DATABASE_UNAVAILABLE" }, () => remove(orderId));
          });
        } finally {
          useDatabase(original);
          await hasty.close();
        }
        expect((await cancel(user.apiKey, orderId)).status).toBe("canceled");
      },
    );
  });
}
