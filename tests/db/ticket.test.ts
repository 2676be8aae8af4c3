import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { assess } from "@/lib/domain/ticket/assess";
import { computeNeed } from "@/lib/domain/ticket/funds";
import { EMPTY_FORM, type TicketForm } from "@/lib/domain/ticket/form";
import { toPayload } from "@/lib/domain/ticket/payload";
import { project } from "@/lib/domain/ticket/projection";
import { toContext } from "@/lib/domain/ticket/wire";
import { PlaceOrderBody } from "@/lib/schemas/orders";
import { Market, OrderBook } from "@/lib/schemas/markets";
import { TicketAccount } from "@/lib/schemas/ticket";
import { getBook } from "@/lib/markets/get-book";
import { findPlacement, checkKeyUse } from "@/lib/orders/find-placement";
import { placeOrder } from "@/lib/orders/place-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { freeze, thaw } from "@/lib/limits/freeze";
import { getTicketAccount } from "@/lib/orders/get-ticket-account";
import { place, placeAndRead, readOrder } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  readQuotes,
  readTick,
  type TestMarket,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { databaseState } from "@/tests/support/api/state";
import { sum } from "@/lib/units";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
  for (const market of [markets.taxed, markets.free]) {
    for (const { tokenId } of market.outcomes) {
      await place(user.apiKey, orderFor(market, { tokenId, orderType: "market", shares: 60 }));
    }
  }
});

/** Reads and encodes the ticket's data like its page. */
async function ticketContext(
  { principal }: TestUser,
  market: TestMarket,
  outcome: 0 | 1,
  protectionCents: number,
) {
  const [book, account] = await Promise.all([
    getBook(principal, market.id, undefined),
    getTicketAccount(principal, market.id),
  ]);
  const facts = {
    mode: "paper" as const,
    market: z.encode(Market, market),
    book: z.encode(OrderBook, book),
    isBookDead: false,
    account: z.encode(TicketAccount, account),
    protectionCents,
    zone: "Europe/Berlin",
    now: clock.now(),
  };
  return toContext(facts, outcome);
}

/** The venue rejects these before matching. */
const NOT_ESTIMATED: ReadonlySet<string> = new Set([
  "crossing_below_min",
  "would_trade",
  "not_in_full",
]);

const hundredths = (value: number) => (value / 100).toFixed(2);

const anyForm = fc.record({
  outcome: fc.constantFrom(0 as const, 1 as const),
  action: fc.constantFrom("BUY" as const, "SELL" as const),
  type: fc.constantFrom("market" as const, "limit" as const),
  amount: fc.integer({ min: 100, max: 90_000 }).map(hundredths),
  shares: fc.integer({ min: 500, max: 6_000 }).map(hundredths),
  price: fc.integer({ min: 1, max: 99 }).map(String),
  unit: fc.constantFrom("amount" as const, "shares" as const),
  expiry: fc.constantFrom("never" as const, "today" as const, "time" as const),
  expires: fc.constant("2099-11-24T12:00"),
  postOnly: fc.boolean(),
  fillOrKill: fc.boolean(),
  isTaxed: fc.boolean(),
  protectionCents: fc.integer({ min: 1, max: 20 }),
});

describe("the ticket's estimate", () => {
  it("equals the preview of the same order: shares, money, fee, average, reservation", async () => {
    const before = await databaseState();
    await fc.assert(
      fc.asyncProperty(anyForm, async ({ isTaxed, protectionCents, ...fields }) => {
        const market = isTaxed ? markets.taxed : markets.free;
        const context = await ticketContext(user, market, fields.outcome, protectionCents);
        const form: TicketForm = { ...EMPTY_FORM, ...fields };
        const { order, estimate, issues } = assess(form, context);
        if (!order || !estimate) throw new Error("every form of the test is an order");
        const { tokenId } = market.outcomes[form.outcome];
        const body = PlaceOrderBody.parse({
          tokenId,
          tickSize: market.tickSize,
          ...toPayload(order),
        });
        const told = await previewOrder(user.principal, body);
        expect(issues.length === 0, JSON.stringify(issues.map(({ kind }) => kind))).toBe(
          told.refusal === null,
        );
        if (issues.some(({ kind }) => NOT_ESTIMATED.has(kind))) return;
        const { resting } = project(order, estimate, context);
        expect({
          shares: estimate.filled,
          amount: estimate.amount,
          fee: estimate.fee,
          avgPrice: estimate.average,
          limitPrice: order.limit,
          restingShares: resting,
          holdUsdc: order.action === "BUY" ? computeNeed(order, estimate, context.rules) : 0n,
        }).toEqual({
          shares: told.shares,
          amount: told.amount,
          fee: told.fee,
          avgPrice: told.avgPrice,
          limitPrice: told.limitPrice,
          restingShares: told.restingShares,
          holdUsdc: told.holdUsdc,
        });
      }),
      { numRuns: 60 },
    );
    expect(await databaseState()).toEqual(before);
  });
});

describe("the ticket's total", () => {
  it("is to the cent what the exchange charges or pays for a market order", async () => {
    const trader = await makeUser();
    const { principal } = trader;
    const anyMarketForm = fc.record({
      action: fc.constantFrom("BUY" as const, "BUY" as const, "SELL" as const),
      outcome: fc.constantFrom(0 as const, 1 as const),
      unit: fc.constantFrom("amount" as const, "shares" as const),
      amount: fc.integer({ min: 100, max: 4_000 }).map(hundredths),
      shares: fc.integer({ min: 500, max: 2_000 }).map(hundredths),
      isTaxed: fc.boolean(),
    });
    let placed = 0;
    await fc.assert(
      fc.asyncProperty(anyMarketForm, async ({ isTaxed, ...fields }) => {
        const market = isTaxed ? markets.taxed : markets.free;
        const context = await ticketContext(trader, market, fields.outcome, 5);
        const { order, estimate, issues } = assess({ ...EMPTY_FORM, ...fields }, context);
        if (!order || !estimate || issues.length > 0) return;
        const { money } = project(order, estimate, context);
        const { tokenId } = market.outcomes[fields.outcome];
        const body = PlaceOrderBody.parse({ tokenId, ...toPayload(order) });
        const { cost } = await previewOrder(principal, body);
        const before = await readAvailable(trader, market);
        placed += 1;
        await placeOrder(principal, { ...body, idempotencyKey: `total-${placed}` });
        const change = (await readAvailable(trader, market)) - before;
        expect([money, money]).toEqual([cost, order.action === "BUY" ? -change : change]);
      }),
      { numRuns: 40 },
    );
    expect(placed).toBeGreaterThan(10);
  });
});

const OWN_IN_THE_WAY = [
  { own: ["BUY", 0], taken: ["SELL", 0] },
  { own: ["SELL", 1], taken: ["SELL", 0] },
  { own: ["BUY", 0], taken: ["BUY", 1] },
  { own: ["SELL", 0], taken: ["BUY", 0] },
  { own: ["BUY", 1], taken: ["BUY", 0] },
  { own: ["SELL", 0], taken: ["SELL", 1] },
] as const;

describe("the ticket's estimate with an own order in the way", () => {
  it.each(OWN_IN_THE_WAY)(
    "is the preview and the fill: $taken meets $own",
    async ({ own, taken }) => {
      const trader = await makeUser();
      const market = markets.taxed;
      for (const { tokenId } of market.outcomes) {
        await place(trader.apiKey, orderFor(market, { tokenId, orderType: "market", shares: 60 }));
      }
      const inside = readQuotes(market).bid + readTick(market);
      const resting = await placeAndRead(
        trader.apiKey,
        orderFor(market, {
          tokenId: market.outcomes[own[1]].tokenId,
          action: own[0],
          price: Number(own[1] === 0 ? inside : 1_000_000n - inside) / 1_000_000,
          shares: 15,
        }),
      );
      expect(resting.status).toBe("open");
      const context = await ticketContext(trader, market, taken[1], 5);
      const fields = { action: taken[0], type: "market", unit: "shares", shares: "20" } as const;
      const { order, estimate, issues } = assess({ ...EMPTY_FORM, ...fields }, context);
      if (!order || !estimate) throw new Error("the form is an order");
      expect(issues).toEqual([]);
      const body = { tokenId: market.outcomes[taken[1]].tokenId, ...toPayload(order) };
      const told = await previewOrder(trader.principal, PlaceOrderBody.parse(body));
      const filled = await placeAndRead(trader.apiKey, body);
      const expected = { shares: 20_000_000n, amount: estimate.amount, fee: estimate.fee };
      expect(told).toMatchObject(expected);
      expect({
        shares: filled.filledShares,
        amount: sum(filled.fills.map(({ amount }) => amount)),
        fee: filled.fee,
      }).toEqual(expected);
      expect(estimate.canceled.map(({ remaining }) => remaining)).toEqual([15_000_000n]);
      expect((await readOrder(trader.apiKey, resting.id)).events.at(-1)?.detail).toEqual({
        reason: "self_trade_prevention",
      });
    },
  );
});

const readAvailable = async ({ principal }: TestUser, { id }: TestMarket) =>
  (await getTicketAccount(principal, id)).availableUsdc;

describe("an order's idempotency key", () => {
  const input = (idempotencyKey: string, fields: object = {}) => ({
    ...PlaceOrderBody.parse({
      ...orderFor(markets.free, { orderType: "market", amount: 5, price: 0.99 }),
      ...fields,
    }),
    idempotencyKey,
  });

  it("is unused until its order is placed, then finds it, and conflicts with another order", async () => {
    const { principal } = user;
    expect(await findPlacement(principal, "ui-1")).toEqual({ state: "none" });
    expect(await checkKeyUse(principal, input("ui-1"))).toBe("free");
    const { orderId } = await placeOrder(principal, input("ui-1"));
    expect(await findPlacement(principal, "ui-1")).toEqual({
      state: "accepted",
      orderId,
      status: "filled",
    });
    expect(await checkKeyUse(principal, input("ui-1"))).toBe("same");
    expect(await checkKeyUse(principal, input("ui-1", { price: 0.98 }))).toBe("same");
    expect(await checkKeyUse(principal, input("ui-1", { amount: 6 }))).toBe("other");
  });

  it("returns the reason of a rejection only to the owner", async () => {
    const { orderId } = await placeOrder(user.principal, input("ui-2", { amount: 900_000 }));
    const state = await findPlacement(user.principal, "ui-2");
    expect(state).toMatchObject({ state: "refused", orderId });
    expect(state.state === "refused" && state.message).toMatch(
      /^This order needs \$.+; \$.+ is available/,
    );
    const stranger = await makeUser();
    expect(await findPlacement(stranger.principal, "ui-2")).toEqual({ state: "none" });
  });
});

describe("the ticket's account data", () => {
  it("has available cash and shares, and those that open orders reserve", async () => {
    const owner = await makeUser();
    const { tokenId } = markets.free.outcomes[0];
    const empty = await getTicketAccount(owner.principal, markets.free.id);
    expect(empty).toMatchObject({ availableUsdc: 1_000_000_000n, hasOrdered: false });
    await place(owner.apiKey, orderFor(markets.free, { orderType: "market", shares: 20 }));
    await place(owner.apiKey, orderFor(markets.free, { action: "SELL", price: 0.99, shares: 8 }));
    const { holdings, hasOrdered } = await getTicketAccount(owner.principal, markets.free.id);
    expect(hasOrdered).toBe(true);
    expect(holdings[0]).toMatchObject({
      tokenId,
      freeShares: 12_000_000n,
      reservedShares: 8_000_000n,
    });
    expect(holdings[0].avgPrice).not.toBeNull();
    expect(holdings[1]).toMatchObject({ freeShares: 0n, reservedShares: 0n, avgPrice: null });
  });

  it("says that the account or the user is frozen, and not that a key is", async () => {
    const { principal, userId } = await makeUser();
    const readFrozen = async () =>
      (await getTicketAccount({ ...principal, keyId: null }, markets.free.id)).isFrozen;
    const reason = "A test.";
    await freeze({ userId, subject: { scope: "key", keyId: principal.keyId }, reason });
    expect(await readFrozen()).toBe(false);
    for (const subject of [{ scope: "account", mode: "paper" }, { scope: "user" }] as const) {
      await freeze({ userId, subject, reason });
      expect(await readFrozen()).toBe(true);
      await thaw({ userId, subject });
      expect(await readFrozen()).toBe(false);
    }
  });
});
