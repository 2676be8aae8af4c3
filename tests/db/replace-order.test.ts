import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { resetAccount } from "@/lib/accounts/reset-account";
import { getDb } from "@/lib/db/client";
import { buildReplacementInsert, storeRestShares } from "@/lib/db/queries/order-replacements";
import { selectOrders } from "@/lib/db/queries/orders";
import type { OrderRow } from "@/lib/db/rows";
import type { ReplaceResult } from "@/lib/domain/order-replacement";
import { isLive } from "@/lib/domain/order-status";
import { paperVenue } from "@/lib/exchange";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { readEvents } from "@/lib/events/read-events";
import { EXPORT_COLUMNS, exportOrderHistory } from "@/lib/orders/export-orders";
import { getOrder } from "@/lib/orders/get-order";
import { listKeyOrders } from "@/lib/orders/list-key-orders";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { getOrderDetails } from "@/lib/orders/get-order-details";
import { listOrderHistory } from "@/lib/orders/order-history";
import { placeOrder } from "@/lib/orders/place-order";
import { getReplacement, replaceOrder, type ReplaceRequest } from "@/lib/orders/replace-order";
import {
  add,
  complement,
  notional,
  type Price,
  price,
  type Shares,
  shares,
  usdc,
} from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  createBody,
  findPriceInside,
  freshMarket,
  mintPair,
  MINUTE,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { orderRow, readCashBalance, readOrderEvents } from "@/tests/support/exchange/ledger";
import { Random, readSeed } from "@/tests/support/random";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const count = (whole: number): Shares => shares(BigInt(whole) * 1_000_000n);
const newKey = () => `ui-${randomUUID()}`;

interface Bid {
  user: TestUser;
  market: PaperMarket;
  orderId: string;
  at: (index: number) => Price;
}

/**
 * Places a bid for the first token that rests between the house's quotes.
 *
 * @param options.isPoor the owner can pay for one such order, at a price up to `at(2)`.
 */
async function restBid(size: Shares, { isPoor = false } = {}): Promise<Bid> {
  const market = freshMarket();
  const at = findPriceInside(market);
  const user = await makeUser(isPoor ? notional(size, at(2), "up") : undefined);
  const bid = { market, action: "BUY", outcome: 0, limit: at(1), size } as const;
  const { orderId, status } = await place(user, bid);
  expect(status).toBe("open");
  return { user, market, orderId, at };
}

const replace = ({ user, orderId }: Bid, request: Omit<ReplaceRequest, "orderId">) =>
  replaceOrder(user.principal, { orderId, ...request });

/** Fills part of a bid: another user buys the other outcome, and what does not fill is dropped. */
async function fillBid({ market }: Bid, at: Price, size: Shares, who?: TestUser) {
  const taker = who ?? (await makeUser());
  return place(taker, { market, action: "BUY", outcome: 1, worst: complement(at), size });
}

/** Leaves an order as a process does that dies after the cancel and before the placement. */
async function dieAfterCancel({ user, orderId }: Bid, request: Omit<ReplaceRequest, "orderId">) {
  const { userId } = user;
  const createdAt = new Date(clock.now);
  const results = await paperVenue.cancelOrders({
    orders: [await orderRow(orderId)],
    userId,
    keyId: null,
    recordCancel: () => buildReplacementInsert({ orderId, userId, ...request, createdAt }),
  });
  expect(results.get(orderId)).toEqual({ outcome: "canceled" });
}

async function listOrders({ principal }: TestUser): Promise<OrderRow[]> {
  const found = await selectOrders(await getDb(), { account: principal }, null, 1_000);
  return found.map(({ order }) => order);
}
const listLive = async (user: TestUser) =>
  (await listOrders(user)).filter(({ status }) => isLive(status));

const readNewId = (result: ReplaceResult) => {
  if (result.outcome !== "placed") throw new Error(`the outcome is ${result.outcome}`);
  return result.newOrderId;
};

describe("a replaced order", () => {
  it("is canceled, and the new one has the new terms and holds their cost", async () => {
    const bid = await restBid(count(100));
    const key = newKey();
    const result = await replace(bid, { key, price: bid.at(2), shares: count(40) });
    const placed = await orderRow(readNewId(result));
    expect(placed).toMatchObject({ status: "open", price: bid.at(2), shares: count(40) });
    expect(await orderRow(bid.orderId)).toMatchObject({ status: "canceled", held: 0n });
    expect(await listLive(bid.user)).toHaveLength(1);
    expect((await readCashBalance(bid.user)).held).toBe(placed.held);
    expect(await getReplacement(bid.user.principal, bid.orderId)).toMatchObject({ key, result });
  });

  it("names the new order in its events, record and export, which tell an edit from a cancel", async () => {
    const bid = await restBid(count(100));
    const { principal } = bid.user;
    const key = newKey();
    const newId = readNewId(await replace(bid, { key, price: bid.at(2), shares: count(40) }));
    await cancelOrder(principal, newId);
    const log = await readEvents(await getDb(), principal, { after: 0, limit: 100 });
    const details = log.flatMap(({ type, data }) =>
      type === "order.canceled" ? [data.detail] : [],
    );
    expect(details).toEqual([
      { reason: "requested", replacementKey: key },
      { reason: "requested" },
    ]);
    const ends = await Promise.all(
      [bid.orderId, newId].map(async (id) => (await getOrder(principal, id)).events.at(-1)?.detail),
    );
    expect(ends).toEqual(details);
    const page = await exportOrderHistory(principal, {}).next();
    const rows = page.done ? [] : page.value;
    const cell = (row: readonly unknown[], name: (typeof EXPORT_COLUMNS)[number]) =>
      row[EXPORT_COLUMNS.indexOf(name)];
    expect(rows.map((row) => [cell(row, "order_id"), cell(row, "replaced_by")])).toEqual([
      [newId, null],
      [bid.orderId, newId],
    ]);
  });

  it("keeps its outcome, side, expiry and post-only", async () => {
    const [user, other, market] = [await makeUser(), await makeUser(), freshMarket()];
    await mintPair(market, { first: other, second: user }, count(100));
    const at = findPriceInside(market);
    const body = createBody({
      market,
      action: "SELL",
      outcome: 1,
      limit: complement(at(0)),
      size: count(50),
    });
    const expiresAt = new Date(clock.now + 30 * MINUTE);
    const { orderId } = await placeOrder(user.principal, {
      ...body,
      timeInForce: "GTD",
      expiresAt,
      postOnly: true,
    });
    const request = { orderId, key: newKey(), price: complement(at(1)), shares: count(60) };
    const placed = await orderRow(readNewId(await replaceOrder(user.principal, request)));
    const kept = { action: "SELL", outcome: 1, expiresAt, isPostOnly: true } as const;
    expect(await orderRow(orderId)).toMatchObject({ ...kept, status: "canceled" });
    expect(placed).toMatchObject({ ...kept, status: "open", shares: count(60) });
  });

  it("subtracts what it filled from the new size", async () => {
    const bid = await restBid(count(100));
    await fillBid(bid, bid.at(1), count(30));
    const result = await replace(bid, { key: newKey(), price: bid.at(0), shares: count(80) });
    expect(await orderRow(readNewId(result))).toMatchObject({ shares: count(50) });
    expect(await orderRow(bid.orderId)).toMatchObject({
      status: "canceled",
      filledShares: count(30),
    });
  });

  it("can use the funds that its cancel releases", async () => {
    const size = count(100);
    const bid = await restBid(size, { isPoor: true });
    const { held, available } = await readCashBalance(bid.user);
    expect(available).toBeLessThan(held);
    const result = await replace(bid, { key: newKey(), price: bid.at(2), shares: size });
    expect(await orderRow(readNewId(result))).toMatchObject({ status: "open", shares: size });
  });

  it("fills at once if the new price reaches the book", async () => {
    const bid = await restBid(count(20));
    const request = { key: newKey(), price: price(950_000n), shares: count(20) };
    const result = await replace(bid, request);
    expect(result).toMatchObject({ outcome: "placed", status: "filled" });
    expect(await listLive(bid.user)).toEqual([]);
  });
});

describe("the pages of an edited order", () => {
  const readLinks = async ({ principal }: TestUser, orderId: string) => {
    const { replacedBy, replaces } = await getOrderDetails(principal, orderId);
    const { orders } = await listOrderHistory(principal, {});
    const listed = orders.find(({ id }) => id === orderId)?.replacedBy;
    const ofKey = await listKeyOrders(principal, principal.keyId ?? "", 10);
    expect(ofKey.find(({ id }) => id === orderId)?.replacedBy).toBe(listed);
    return { replacedBy, replaces, listed };
  };

  it("name the orders before and after it, in the history and on the key's page, too", async () => {
    const bid = await restBid(count(100));
    const [first, second] = [bid.orderId, bid.at(2)];
    const middle = readNewId(
      await replace(bid, { key: newKey(), price: second, shares: count(40) }),
    );
    const edited = { ...bid, orderId: middle };
    const last = readNewId(
      await replace(edited, { key: newKey(), price: bid.at(0), shares: count(50) }),
    );
    await cancelOrder(bid.user.principal, last);
    const terms = {
      first: { orderId: first, price: bid.at(1), shares: count(100) },
      middle: { orderId: middle, price: second, shares: count(40) },
      last: { orderId: last, price: bid.at(0), shares: count(50) },
    };
    expect(await readLinks(bid.user, first)).toEqual({
      replacedBy: terms.middle,
      replaces: null,
      listed: middle,
    });
    expect(await readLinks(bid.user, middle)).toEqual({
      replacedBy: terms.last,
      replaces: terms.first,
      listed: last,
    });
    expect(await readLinks(bid.user, last)).toEqual({
      replacedBy: null,
      replaces: terms.middle,
      listed: null,
    });
  });

  it("call it canceled while no order replaces it, or if the new one was rejected", async () => {
    const bid = await restBid(count(100), { isPoor: true });
    const request = { key: newKey(), price: bid.at(2), shares: count(100) };
    await dieAfterCancel(bid, request);
    const none = { replacedBy: null, replaces: null, listed: null };
    expect(await readLinks(bid.user, bid.orderId)).toEqual(none);
    const other = { market: bid.market, action: "BUY", outcome: 0, limit: bid.at(0) } as const;
    await place(bid.user, { ...other, size: count(50) });
    const result = await replace(bid, request);
    expect(result.outcome).toBe("rejected");
    expect(await readLinks(bid.user, bid.orderId)).toEqual(none);
  });

  it("show an order whose key Postgres can't store as text", async () => {
    const { user, market, at } = await restBid(count(100));
    const body = { market, action: "BUY", outcome: 0, limit: at(0), size: count(20) } as const;
    const { orderId } = await place(user, { ...body, key: "nul\0" });
    expect((await getOrderDetails(user.principal, orderId)).replaces).toBeNull();
  });
});

describe("a change that can't be made leaves the order as it is", () => {
  const refused: [string, (bid: Bid) => Partial<ReplaceRequest>, string][] = [
    ["with the same terms", ({ at }) => ({ price: at(1), shares: count(100) }), "VALIDATION_ERROR"],
    ["off the grid", () => ({ price: price(500_001n) }), "PRICE_OFF_TICK"],
    ["below the minimum", () => ({ shares: count(1) }), "ORDER_TOO_SMALL"],
    ["beyond the funds", () => ({ shares: count(999_999) }), "INSUFFICIENT_BALANCE"],
    ["of no size", () => ({ shares: shares(0n) }), "ORDER_TOO_SMALL"],
  ];

  it.each(refused)("%s", async (_, change, code) => {
    const bid = await restBid(count(100));
    const before = [await orderRow(bid.orderId), await readCashBalance(bid.user)];
    const terms = { key: newKey(), price: bid.at(2), shares: count(100), ...change(bid) };
    await expect(replace(bid, terms)).rejects.toMatchObject({ code });
    expect([await orderRow(bid.orderId), await readCashBalance(bid.user)]).toEqual(before);
    expect(await getReplacement(bid.user.principal, bid.orderId)).toBeNull();
  });

  it("if a post-only order would fill at once", async () => {
    const [user, market] = [await makeUser(), freshMarket()];
    const at = findPriceInside(market);
    const body = createBody({ market, action: "BUY", outcome: 0, limit: at(0), size: count(20) });
    const { orderId } = await placeOrder(user.principal, { ...body, postOnly: true });
    const request = { orderId, key: newKey(), price: price(950_000n), shares: count(20) };
    await expect(replaceOrder(user.principal, request)).rejects.toMatchObject({
      code: "ORDER_REJECTED",
    });
    expect(await orderRow(orderId)).toMatchObject({ status: "open" });
  });

  it("if it is another user's order", async () => {
    const bid = await restBid(count(100));
    const { principal } = await makeUser();
    const request = { orderId: bid.orderId, key: newKey(), price: bid.at(2), shares: count(9) };
    await expect(replaceOrder(principal, request)).rejects.toMatchObject({
      code: "ORDER_NOT_FOUND",
    });
    expect(await orderRow(bid.orderId)).toMatchObject({ status: "open" });
  });

  it("if the key was used for another order or other terms", async () => {
    const [first, second] = [await restBid(count(100)), await restBid(count(100))];
    const key = newKey();
    const terms = { key, price: first.at(2), shares: count(50) };
    await replace(first, terms);
    const reused = { code: "IDEMPOTENCY_KEY_REUSED" };
    await expect(replace(first, { ...terms, shares: count(60) })).rejects.toMatchObject(reused);
    const others = { user: first.user, orderId: (await listLive(first.user))[0]?.id ?? "" };
    await expect(replace({ ...first, ...others }, terms)).rejects.toMatchObject(reused);
    const placed = newKey();
    await place(second.user, {
      market: second.market,
      action: "BUY",
      outcome: 0,
      limit: second.at(0),
      size: count(5),
      key: placed,
    });
    const request = { key: placed, price: second.at(2), shares: count(50) };
    await expect(replace(second, request)).rejects.toMatchObject(reused);
    expect(await orderRow(second.orderId)).toMatchObject({ status: "open" });
  });

  it("if it has ended: nothing is placed", async () => {
    const bid = await restBid(count(100));
    await cancelOrder(bid.user.principal, bid.orderId);
    const result = await replace(bid, { key: newKey(), price: bid.at(2), shares: count(50) });
    expect(result).toEqual({ outcome: "ended", status: "canceled" });
    expect(await listOrders(bid.user)).toHaveLength(1);
  });
});

describe("a repeated replacement", () => {
  it("places one order, however often and concurrently its key is sent", async () => {
    const bid = await restBid(count(100));
    const request = { key: newKey(), price: bid.at(2), shares: count(50) };
    const results = await Promise.all(Array.from({ length: 8 }, () => replace(bid, request)));
    results.push(await replace(bid, request));
    expect(new Set(results.map(readNewId)).size).toBe(1);
    expect(await listOrders(bid.user)).toHaveLength(2);
    expect(await listLive(bid.user)).toHaveLength(1);
    expect(await readOrderEvents(bid.orderId)).toEqual([
      "received",
      "opened",
      "canceled:requested",
    ]);
  });

  it("places nothing again after the new order has ended", async () => {
    const bid = await restBid(count(100));
    const request = { key: newKey(), price: bid.at(2), shares: count(50) };
    const newOrderId = readNewId(await replace(bid, request));
    await cancelOrder(bid.user.principal, newOrderId);
    expect(await replace(bid, request)).toMatchObject({ newOrderId, status: "canceled" });
    expect(await listLive(bid.user)).toEqual([]);
  });

  it("finishes a replacement whose process died between the two steps", async () => {
    const bid = await restBid(count(100));
    await fillBid(bid, bid.at(1), count(30));
    const request = { key: newKey(), price: bid.at(2), shares: count(80) };
    await dieAfterCancel(bid, request);
    expect(await listLive(bid.user)).toEqual([]);
    expect((await getReplacement(bid.user.principal, bid.orderId))?.result).toEqual({
      outcome: "unplaced",
    });
    const newOrderId = readNewId(await replace(bid, request));
    expect(await orderRow(newOrderId)).toMatchObject({ status: "open", shares: count(50) });
    expect(readNewId(await replace(bid, request))).toBe(newOrderId);
    expect(await listOrders(bid.user)).toHaveLength(2);
  });

  it("finishes a replacement whose process died after the size was stored", async () => {
    const bid = await restBid(count(100));
    const request = { key: newKey(), price: bid.at(2), shares: count(80) };
    await dieAfterCancel(bid, request);
    await storeRestShares(await getDb(), bid.orderId, count(80));
    const newOrderId = readNewId(await replace(bid, request));
    expect(await orderRow(newOrderId)).toMatchObject({ status: "open", shares: count(80) });
  });

  it("says that the order is canceled and the new one is rejected", async () => {
    const bid = await restBid(count(100), { isPoor: true });
    const request = { key: newKey(), price: bid.at(2), shares: count(100) };
    await dieAfterCancel(bid, request);
    const other = { market: bid.market, action: "BUY", outcome: 0, limit: bid.at(0) } as const;
    await place(bid.user, { ...other, size: count(50) });
    const result = await replace(bid, request);
    expect(result).toMatchObject({
      outcome: "rejected",
      message: expect.stringContaining("is available") as string,
    });
    expect(await orderRow(bid.orderId)).toMatchObject({ status: "canceled" });
    expect(await replace(bid, request)).toEqual(result);
    expect(await listLive(bid.user)).toHaveLength(1);
  });

  it("places nothing after the account was reset", async () => {
    const bid = await restBid(count(100));
    const request = { key: newKey(), price: bid.at(2), shares: count(80) };
    await dieAfterCancel(bid, request);
    await resetAccount(bid.user.principal, usdc(1_000_000_000n));
    expect(await replace(bid, request)).toEqual({ outcome: "ended", status: "canceled" });
    expect(await listLive(bid.user)).toEqual([]);
  });
});

describe("concurrent changes", () => {
  it("with different keys place one order", async () => {
    const bid = await restBid(count(100));
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        replace(bid, { key: newKey(), price: bid.at(2), shares: count(10 + index) }),
      ),
    );
    const outcomes = results.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "placed")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "superseded")).toHaveLength(7);
    expect(await listLive(bid.user)).toHaveLength(1);
  });

  it("of the order and its cancel leave at most one order open", async () => {
    for (let round = 0; round < 10; round += 1) {
      const bid = await restBid(count(100));
      const request = { key: newKey(), price: bid.at(2), shares: count(50) };
      const [result] = await Promise.all([
        replace(bid, request),
        cancelOrder(bid.user.principal, bid.orderId),
      ]);
      const live = await listLive(bid.user);
      expect(live).toHaveLength(result.outcome === "placed" ? 1 : 0);
      await cancelOrders(bid.user.principal);
    }
  });

  it("and a fill never fill more than the new size, and place nothing after a full fill", async () => {
    for (let round = 0; round < 10; round += 1) {
      const bid = await restBid(count(40));
      const isFull = round % 2 === 0;
      const [result] = await Promise.all([
        replace(bid, { key: newKey(), price: bid.at(0), shares: count(60) }),
        fillBid(bid, bid.at(1), count(isFull ? 40 : 15)),
      ]);
      const old = await orderRow(bid.orderId);
      const live = await listLive(bid.user);
      if (result.outcome === "placed") {
        expect(old.status).toBe("canceled");
        expect(live.map((order) => add(order.shares ?? shares(0n), old.filledShares))).toEqual([
          count(60),
        ]);
      } else {
        expect(result).toEqual({ outcome: "ended", status: "filled" });
        expect(live).toEqual([]);
      }
      await cancelOrders(bid.user.principal);
    }
  });

  it("hold in random histories: one open order per line, and no more filled than asked", async () => {
    const random = new Random(readSeed());
    for (let round = 0; round < 8; round += 1) {
      const size = count(random.integer(10, 100));
      const bid = await restBid(size);
      const taker = await makeUser(usdc(1_000_000_000_000n));
      let most = size;
      const requests = Array.from({ length: 3 }, () => {
        const asked = count(random.integer(6, 150));
        if (asked > most) most = asked;
        return { key: newKey(), price: bid.at(random.integer(0, 4)), shares: asked };
      });
      const isDead = random.chance(0.3);
      if (isDead) await dieAfterCancel(bid, random.pick(requests));
      const steps = Array.from({ length: 12 }, () => {
        if (random.chance(0.3)) {
          const part = count(random.integer(1, 60));
          return () => fillBid(bid, bid.at(random.integer(0, 4)), part, taker);
        }
        if (random.chance(0.1)) return () => cancelOrder(bid.user.principal, bid.orderId);
        const request = random.pick(requests);
        return () => replace(bid, request);
      });
      await Promise.allSettled(steps.map((step) => step()));
      await Promise.allSettled(requests.map((request) => replace(bid, request)));
      const orders = await listOrders(bid.user);
      const context = `seed ${random.seed}, round ${round}`;
      expect(orders.length, context).toBeLessThanOrEqual(2);
      expect((await listLive(bid.user)).length, context).toBeLessThanOrEqual(1);
      const filled = orders.reduce((sum, order) => sum + order.filledShares, 0n);
      expect(filled <= most, context).toBe(true);
      await cancelOrders(bid.user.principal);
    }
  });
});
