import { getDb } from "@/lib/db/client";
import { selectOrderEvents } from "@/lib/db/queries/orders";
import { afterEach, describe, expect, it } from "vitest";
import { bestPrice } from "@/lib/domain/matching";
import { newId } from "@/lib/ids";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { complement, type Price, type Shares, shares } from "@/lib/units";
import { paperVenue } from "@/lib/exchange";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import { NO_CONDITIONS } from "@/lib/venue/port";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, findPriceInside, place, useTestClock } from "@/tests/support/exchange/orders";
import { readOrderEvents, readFills, orderRow, readTotals } from "@/tests/support/exchange/ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const TEN: Shares = shares(10_000_000n);
const LIFE_MS = 200_000;
/** RACES=334 runs a third of a thousand races; tests/product/races.test.ts runs the others. */
const RACES = Number(process.env["RACES"] ?? 20);

/** Places a bid for the first token that expires in `LIFE_MS`. */
async function restUntil(
  user: TestUser,
  market: PaperMarket,
  limit: Price,
  receivedAt = clock.now,
): Promise<string> {
  const orderId = newId("ord");
  const intent = {
    type: "limit",
    action: "BUY",
    price: limit,
    shares: TEN,
    amount: null,
  } as const;
  const claim = {
    userId: user.userId,
    keyHash: orderId,
    fingerprint: orderId,
    fields: {},
    orderId,
    createdAt: new Date(clock.now),
  };
  const submission = {
    orderId,
    userId: user.userId,
    keyId: user.principal.keyId,
    market,
    outcome: 0,
    intent,
    conditions: { ...NO_CONDITIONS, expiresAt: clock.now + LIFE_MS },
    idempotencyKey: orderId,
    receivedAt,
    simulatedFault: null,
    canAskOwner: false,
  } as const;
  const record = { claim, toAnswer: () => ({ status: 200, body: "{}" }) };
  const result = await paperVenue.submitOrder(submission, record);
  expect(result).toMatchObject({ outcome: "accepted", status: "open" });
  return orderId;
}

it("an order is received when its request came, and on the book when its transaction began", async () => {
  const market = freshMarket();
  const receivedAt = clock.now - 58;
  const id = await restUntil(await makeUser(), market, findPriceInside(market)(2), receivedAt);
  expect((await orderRow(id)).createdAt).toEqual(new Date(receivedAt));
  const events = await selectOrderEvents(await getDb(), id);
  expect(events.map(({ type, createdAt }) => [type, createdAt.getTime()])).toEqual([
    ["received", receivedAt],
    ["opened", clock.now],
  ]);
});

async function openScene() {
  const market = freshMarket();
  const limit = findPriceInside(market)(2);
  const [owner, other] = [await makeUser(), await makeUser()];
  const orderId = await restUntil(owner, market, limit);
  // Trades with the bid by buying the other token at the complement.
  const meet = () =>
    place(other, {
      market,
      action: "BUY",
      outcome: 1,
      limit: complement(limit),
      size: TEN,
    });
  return { market, limit, owner, orderId, meet };
}

const bestBid = async (market: PaperMarket) => bestPrice(await paperVenue.getBook(market), "bid");

describe("an order that expires", () => {
  it("trades until the millisecond before its expiry", async () => {
    const { orderId, meet } = await openScene();
    clock.set(clock.now + LIFE_MS - 1);
    await meet();
    expect((await orderRow(orderId)).status).toBe("filled");
    expect(await readFills(orderId)).toMatchObject([{ shares: TEN }]);
  });

  it("does not trade from its expiry on, whether the taker or the ticker runs first", async () => {
    const { orderId, market, limit, meet } = await openScene();
    expect(await bestBid(market)).toBe(limit);
    clock.set(clock.now + LIFE_MS);
    expect(await bestBid(market)).not.toBe(limit);
    const { status } = await meet();
    expect(status).toBe("open");
    expect(await orderRow(orderId)).toMatchObject({
      status: "expired",
      held: 0n,
      filledShares: 0n,
    });
    expect(await readOrderEvents(orderId)).toEqual(["received", "opened", "expired"]);
  });

  it("is expired once by the ticker, which releases its hold", async () => {
    const { orderId, owner, market } = await openScene();
    expect(await tick()).toBe(0);
    clock.set(clock.now + LIFE_MS);
    expect(await tick()).toBe(1);
    expect(await orderRow(orderId)).toMatchObject({ status: "expired", held: 0n });
    const before = await readTotals();
    expect(await tick()).toBe(0);
    const asked = await paperVenue.cancelOrders({
      orders: [{ id: orderId, marketId: market.id }],
      userId: owner.userId,
      keyId: owner.principal.keyId,
    });
    expect(asked.get(orderId)).toEqual({ outcome: "final", status: "expired" });
    expect(await readTotals()).toEqual(before);
  });

  it(
    `at the very moment at which it is canceled, ${RACES} times: has one end, as it was told`,
    async () => {
      const [market, owner] = [freshMarket(), await makeUser()];
      const limit = findPriceInside(market)(2);
      const { userId, principal } = owner;
      for (let race = 0; race < RACES; race += 1) {
        const orderId = await restUntil(owner, market, limit);
        const request = {
          orders: [{ id: orderId, marketId: market.id }],
          userId,
          keyId: principal.keyId,
        };
        const cancel = () => paperVenue.cancelOrders(request);
        const expire = async () => {
          clock.set(clock.now + LIFE_MS);
          await tick();
        };
        const isFirst = race % 2 === 0;
        const [asked] = isFirst
          ? await Promise.all([cancel(), expire()])
          : (await Promise.all([expire(), cancel()])).toReversed();
        const { status, held } = await orderRow(orderId);
        const told = asked?.get(orderId);
        const isCanceled = status === "canceled";
        expect(isCanceled || status === "expired").toBe(true);
        expect(held).toBe(0n);
        expect(told).toEqual(isCanceled ? { outcome: "canceled" } : { outcome: "final", status });
        expect(await readOrderEvents(orderId)).toEqual(["received", "opened", status]);
      }
    },
    30_000 + RACES * 1_000,
  );

  it("that is canceled after its expiry is recorded as expired, not canceled", async () => {
    const { orderId, owner, market } = await openScene();
    clock.set(clock.now + LIFE_MS);
    const asked = await paperVenue.cancelOrders({
      orders: [{ id: orderId, marketId: market.id }],
      userId: owner.userId,
      keyId: owner.principal.keyId,
    });
    expect(asked.get(orderId)).toEqual({ outcome: "final", status: "expired" });
    expect((await orderRow(orderId)).status).toBe("expired");
  });
});
