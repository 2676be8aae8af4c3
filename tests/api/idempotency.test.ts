import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { getDatabase, getDb, selectRows, useDatabase } from "@/lib/db/client";
import type { Database, Tx } from "@/lib/db/database";
import { insertClaim } from "@/lib/db/queries/idempotency";
import { Acknowledgement, OrderList } from "@/lib/schemas/orders";
import { createKey } from "@/lib/auth/create-key";
import { hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import { usdc } from "@/lib/units";
import { type ApiAnswer, callApi } from "@/tests/support/api/call-api";
import { readData, readError, place, read, readOrder } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { databaseState, expectError, expectRefusal } from "@/tests/support/api/state";
import { openAgain } from "@/tests/support/database/fresh-database";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const post = (body: unknown, key = user.apiKey) => callApi("POST", "/v1/orders", { key, body });
const listOrders = async (key: string) =>
  (await read(OrderList, "/v1/orders?limit=1000", key)).orders;
const isReplay = (answer: ApiAnswer) => answer.headers.get("idempotent-replayed") === "true";

/** Asserts that a response equals the first one byte for byte, and that the repeat changed nothing. */
async function expectReplay(first: ApiAnswer, again: () => Promise<ApiAnswer>): Promise<void> {
  const before = await databaseState();
  const answer = await again();
  expect(answer.text).toBe(first.text);
  expect(answer.status).toBe(first.status);
  expect(answer.headers.get("location")).toBe(first.headers.get("location"));
  expect({ first: isReplay(first), again: isReplay(answer) }).toEqual({
    first: false,
    again: true,
  });
  expect(await databaseState()).toEqual(before);
}

describe("200", () => {
  it.each([
    ["a limit order that rests", () => orderFor(markets.free, { idempotencyKey: "rests" })],
    [
      "a market order that filled",
      () => orderFor(markets.free, { orderType: "market", amount: 5, idempotencyKey: "filled" }),
    ],
  ])("a replay of %s returns the same bytes and is marked", async (_name, createBody) => {
    const first = await post(createBody());
    expect(first.status).toBe(200);
    await expectReplay(first, () => post(createBody()));
    await expectReplay(first, () => post(createBody()));
  });

  it("a replay returns the first response, even if the order has changed since", async () => {
    const body = orderFor(markets.free, { idempotencyKey: "gone-on" });
    const first = await post(body);
    const { orderId } = readData(Acknowledgement, first);
    await callApi("DELETE", `/v1/orders/${orderId}`, { key: user.apiKey });
    await expectReplay(first, () => post(body));
    expect((await readOrder(user.apiKey, orderId)).status).toBe("canceled");
  });

  it("an order is the same in any JSON spelling", async () => {
    const { tokenId } = markets.free.outcomes[0];
    const first = await post(
      `{"tokenId":"${tokenId}","action":"BUY","orderType":"limit","price":0.10,"shares":5,"tickSize":"0.01","idempotencyKey":"spelled"}`,
    );
    await expectReplay(first, () =>
      post(
        ` {"idempotencyKey":"\\u0073pelled","unknown":[1],"tickSize":"0.010","shares":5.000,"price":1e-1,\n"orderType":"limit","action":"BUY","tokenId":"${tokenId}"}`,
      ),
    );
  });

  it("similar keys are different keys, and each is returned exactly", async () => {
    const keys = [
      "a",
      "A",
      " a",
      "a ",
      "a\u0000",
      "a\u0000\u0000",
      "\u0000",
      "\ud800",
      "\ud801",
      "\udc00",
      "\ufffd",
      "\ud800\udc00",
      "\udc00\ud800",
      "\u00e9",
      "e\u0301",
      "\u200b",
      "ﬁ",
      "fi",
      "__proto__",
      "constructor",
      '"',
      "\\",
      "\\u0000",
    ];
    const answers = [];
    for (const idempotencyKey of keys) {
      answers.push(await place(user.apiKey, orderFor(markets.free, { idempotencyKey })));
    }
    expect(answers.map((ack) => ack.idempotencyKey)).toEqual(keys);
    expect(new Set(answers.map((ack) => ack.orderId)).size).toBe(keys.length);
    const records = await Promise.all(answers.map((ack) => readOrder(user.apiKey, ack.orderId)));
    expect(records.map((record) => record.idempotencyKey)).toEqual(keys);
    for (const [index, idempotencyKey] of keys.entries()) {
      const again = await post(orderFor(markets.free, { idempotencyKey }));
      expect(readData(Acknowledgement, again).orderId).toBe(answers[index]?.orderId);
    }
  });

  it("a key belongs to its user: another user's same key places another order", async () => {
    const other = await makeUser();
    const body = orderFor(markets.free, { idempotencyKey: "shared" });
    const [mine, theirs] = [await post(body), await post(body, other.apiKey)];
    expect([isReplay(mine), isReplay(theirs)]).toEqual([false, false]);
    expect(readData(Acknowledgement, theirs).orderId).not.toBe(
      readData(Acknowledgement, mine).orderId,
    );
  });

  it("a key belongs to the user, whichever API key repeats it", async () => {
    const second = await createKey(await getDb(), {
      userId: user.userId,
      name: "second",
      mode: "paper",
      scopes: ["trade"],
      expiresAt: null,
    });
    const body = orderFor(markets.free, { idempotencyKey: "two-api-keys" });
    const first = await post(body);
    await expectReplay(first, () => post(body, second.apiKey));
  });

  it("50 concurrent posts of one order place one order and get identical bodies", async () => {
    const crowd = await makeUser();
    const body = orderFor(markets.free, { price: 0.02, shares: 10, idempotencyKey: "crowd" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, crowd.apiKey)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await listOrders(crowd.apiKey)).toHaveLength(1);
  });

  it("of 20 concurrent different orders with one key, one is placed and the others are rejected", async () => {
    const torn = await makeUser();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        post(orderFor(markets.free, { shares: 10 + index, idempotencyKey: "torn" }), torn.apiKey),
      ),
    );
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(refused).toHaveLength(19);
    for (const answer of refused) {
      expectError(answer, { code: "IDEMPOTENCY_KEY_REUSED", message: "shares" });
    }
    expect(await listOrders(torn.apiKey)).toHaveLength(1);
  });

  it("50 concurrent posts of one unaffordable order leave one record and get identical bodies", async () => {
    const poor = await makeUser(usdc(1_000_000n));
    const body = orderFor(markets.free, { price: 0.3, shares: 10, idempotencyKey: "crowd" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, poor.apiKey)));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await listOrders(poor.apiKey)).toMatchObject([{ status: "rejected" }]);
  });
});

describe("400", () => {
  it("a stored rejection is replayed unchanged, even if the funds now suffice", async () => {
    const late = await makeUser(usdc(5_000_000n));
    const blocker = await place(late.apiKey, orderFor(markets.free, { price: 0.4, shares: 12.5 }));
    const body = orderFor(markets.free, { price: 0.4, shares: 10, idempotencyKey: "refused" });
    const first = await post(body, late.apiKey);
    expect(readError(first).code).toBe("INSUFFICIENT_BALANCE");
    await callApi("DELETE", `/v1/orders/${blocker.orderId}`, { key: late.apiKey });
    await expectReplay(first, () => post(body, late.apiKey));
    const again = await post({ ...body, idempotencyKey: "once-more" }, late.apiKey);
    expect(again.status).toBe(200);
  });

  it("a stored NO_LIQUIDITY is replayed unchanged", async () => {
    const { bidless } = markets;
    const fields = { orderType: "market", action: "SELL", shares: 5, idempotencyKey: "nobody" };
    const first = await post(orderFor(bidless, fields));
    expect(readError(first).code).toBe("NO_LIQUIDITY");
    await expectReplay(first, () => post(orderFor(bidless, fields)));
  });

  const BASE = { idempotencyKey: "taken", price: 0.05, shares: 6 };
  it.each<[string, (now: TestMarkets) => object]>([
    ["tokenId", ({ free }) => ({ tokenId: free.outcomes[1].tokenId })],
    [
      "tokenId",
      ({ taxed }) => ({ tokenId: taxed.outcomes[0].tokenId, action: "SELL", price: 0.9 }),
    ],
    ["action", () => ({ action: "SELL" })],
    ["orderType", () => ({ orderType: "market" })],
    ["amount", () => ({ amount: 6, shares: undefined })],
    ["shares", () => ({ shares: 6.01 })],
    ["price", () => ({ price: 0.06 })],
    ["tickSize", () => ({ tickSize: "0.01" })],
  ])(
    "the key of another order is rejected, naming the first field that differs: %s",
    async (name, change) => {
      const body = orderFor(markets.free, BASE);
      expect((await post(body)).status).toBe(200);
      await expectRefusal(
        { code: "IDEMPOTENCY_KEY_REUSED", message: new RegExp(`\\b${name} `) },
        () => post({ ...body, ...change(markets) }),
      );
    },
  );

  it("another order with a used key is rejected before its market is checked", async () => {
    const body = orderFor(markets.free, BASE);
    expect((await post(body)).status).toBe(200);
    await expectRefusal({ code: "IDEMPOTENCY_KEY_REUSED", message: "tokenId" }, () =>
      post({ ...body, tokenId: "1" }),
    );
  });

  it("an invalid body is rejected even with a used key", async () => {
    const body = orderFor(markets.free, BASE);
    expect((await post(body)).status).toBe(200);
    await expectRefusal({ code: "VALIDATION_ERROR", message: "price" }, () =>
      post({ ...body, price: 1 }),
    );
  });
});

describe("401", () => {
  it("a replay needs the scope of a placement", async () => {
    const reader = await createKey(await getDb(), {
      userId: user.userId,
      name: "reader",
      mode: "paper",
      scopes: ["read", "cancel"],
      expiresAt: null,
    });
    const body = orderFor(markets.free, { idempotencyKey: "no-scope" });
    expect((await post(body)).status).toBe(200);
    await expectRefusal({ code: "INSUFFICIENT_SCOPE" }, () => post(body, reader.apiKey));
  });
});

// The embedded database has one connection, so requests cannot wait for each other's keys.
if (process.env["TEST_DATABASE"] === "postgres") {
  describe("502", () => {
    it("ORDER_IN_PROGRESS while another request holds the key longer than the wait", async () => {
      const original = await getDatabase();
      const impatient = await openImpatient(original.db);
      const body = orderFor(markets.free, { idempotencyKey: "held" });
      const before = await databaseState();
      try {
        const holding = original.db.transaction(async (tx) => {
          await insertClaim(tx, {
            userId: user.userId,
            keyHash: hashIdempotencyKey("held"),
            fingerprint: "of the other request",
            fields: {},
            orderId: "ord_of_the_other_request",
            createdAt: new Date(clock.now()),
          });
          useDatabase(impatient);
          const answer = await post(body);
          expect({ status: answer.status, code: readError(answer).code }).toEqual({
            status: 502,
            code: "ORDER_IN_PROGRESS",
          });
          throw new Error("the other request fails");
        });
        await expect(holding).rejects.toThrow("the other request fails");
        expect(await databaseState()).toEqual(before);
        expect((await post(body)).status).toBe(200);
      } finally {
        useDatabase(original);
        await impatient.close();
      }
    });

    it("UPSTREAM_TIMEOUT while the market is locked longer than a statement may take, and the key stays free", async () => {
      const original = await getDatabase();
      const { free } = markets;
      const body = orderFor(free, { idempotencyKey: "held up" });
      expect((await post(orderFor(free, { idempotencyKey: "before" }))).status).toBe(200);
      const hasty = await openAgain({ statement_timeout: "300" });
      const before = await databaseState();
      try {
        await original.db.transaction(async (tx) => {
          await tx.execute(sql`select id from markets where id = ${free.id} for update`);
          useDatabase(hasty);
          const { code, message } = readError(await post(body));
          expect({ code, message }).toMatchObject({ code: "UPSTREAM_TIMEOUT" });
          expect(message).not.toMatch(/key/i);
        });
        useDatabase(original);
        expect(await databaseState()).toEqual(before);
        expect((await post(body)).status).toBe(200);
      } finally {
        useDatabase(original);
        await hasty.close();
      }
    });
  });
}

describe("200 later on", () => {
  it("a key works forever, even after the market closed", async () => {
    const { short } = markets;
    const body = orderFor(short, { shares: 10, idempotencyKey: "for-ever" });
    const first = await post(body);
    expect(first.status).toBe(200);
    clock.advance(short.closesAt.getTime() - clock.now());
    await expectReplay(first, () => post(body));
    const late = orderFor(short, { shares: 10, idempotencyKey: "late" });
    await expectRefusal({ code: "MARKET_CLOSED" }, () => post(late));
  });
});

/** Opens connections to the same database with a short lock timeout. */
async function openImpatient(db: Tx): Promise<Database> {
  const [current] = await selectRows<{ name: string }>(db, sql`select current_database() as name`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${current?.name}`;
  vi.stubEnv("IN_PROGRESS_WAIT_MS", "300");
  vi.resetModules();
  const { openPostgres } = await import("@/lib/db/client");
  // The environment is parsed on first use.
  const impatient = openPostgres(url.toString());
  vi.unstubAllEnvs();
  return impatient;
}
