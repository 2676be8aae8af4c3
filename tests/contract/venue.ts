import { describe, expect, it } from "vitest";
import type { OrderRow } from "@/lib/db/rows";
import { computeMaxTakerFee } from "@/lib/domain/fees";
import {
  bestPrice,
  type Book,
  type BookSide,
  getMakerPrice,
  getMakerSize,
  oppositeSide,
  queue,
} from "@/lib/domain/matching";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { type Action, toBookPrice, toBookSide, type OutcomeIndex } from "@/lib/domain/settlement";
import { ceilToGrid, floorToGrid } from "@/lib/domain/tick-grid";
import { newId } from "@/lib/ids";
import { notional, type Price, type Shares, shares, type Usdc, usdc } from "@/lib/units";
import type { OrderEstimate } from "@/lib/venue/port";
import { approvalsContract } from "@/tests/contract/approvals";
import { conditionsContract } from "@/tests/contract/conditions";
import { marketContract } from "@/tests/contract/markets";
import {
  createLimitOrder,
  openScene,
  submit,
  type Submitted,
  type VenueHarness,
} from "@/tests/contract/scene";
import { LOT } from "@/lib/domain/lots";

/** Optional capabilities of a venue. Tests of a missing one are skipped. */
export interface VenueCapabilities {
  /** Orders can be fill-or-kill or post-only. */
  takesConditions: boolean;
  /** Positions of resolved markets can be claimed. */
  redeems: boolean;
  /** An order needs that the trader's wallet has approved the exchange. */
  needsApprovals: boolean;
  /** Of concurrent cancels of an order, exactly one returns `canceled`. */
  tellsWhoCanceled: boolean;
  /** A shortfall names the number of reserving orders. */
  countsReservingOrders: boolean;
  /** Whether an order also holds the fee of its resting part. */
  holdsFeeForRest: boolean;
  /** An order matches the book that its hold was computed from, so it holds no more than needed. */
  locksItsBook: boolean;
}

const WAYS: [Action, OutcomeIndex][] = [
  ["BUY", 0],
  ["BUY", 1],
  ["SELL", 0],
  ["SELL", 1],
];
const count = (whole: number): Shares => shares(BigInt(whole) * 1_000_000n);
const TEN = count(10);
/** Maximum distance from the best price for a market order without a worst price. */
const PROTECTION = 50_000n;

/** The contract of the `Venue` port, which every adapter passes. */
export function venueContract(
  name: string,
  makeHarness: () => VenueHarness,
  capabilities: VenueCapabilities,
): void {
  describe(`${name} venue`, () => {
    const harness = makeHarness();
    describe("markets", () => marketContract(harness));
    describe("limit orders", () => limitContract(harness));
    describe("market orders", () => takerContract(harness));
    describe.skipIf(!capabilities.takesConditions)("conditions (of the embedded exchange)", () =>
      conditionsContract(harness),
    );
    describe.skipIf(!capabilities.needsApprovals)("approvals (of wallets on the chain)", () =>
      approvalsContract(harness),
    );
    describe("money", () => moneyContract(harness, capabilities));
    describe("canceling", () => cancelContract(harness, capabilities));
    describe("estimates", () => estimateContract(harness, capabilities));
    describe.skipIf(!capabilities.redeems)("redeeming (where the venue pays out)", () =>
      redeemContract(harness),
    );
  });
}

function limitContract(harness: VenueHarness): void {
  it.each(WAYS)("%s of outcome %i that crosses no order rests unfilled", async (...way) => {
    const scene = await openScene(harness, ...way);
    await scene.rest(1, TEN);
    const { orderId, result } = await scene.take(scene.limitOrder(0, TEN));
    expect(result).toEqual({ outcome: "accepted", status: "open", filledShares: 0n });
    const { row, fills, events } = await harness.readOrder(orderId);
    expect([row.status, row.filledShares, fills]).toEqual(["open", 0n, []]);
    expect(events).toEqual(["received", "opened"]);
    const book = await harness.readBook(scene.market);
    const side = toBookSide(...way);
    expect(bestPrice(book, side)).toBe(toBookPrice(way[1], scene.own(0)));
  });

  it.each(WAYS)("%s of outcome %i fills at the makers' prices, best first", async (...way) => {
    const scene = await openScene(harness, ...way);
    const second = await scene.rest(2, TEN);
    const first = await scene.rest(0, TEN);
    const { orderId, result } = await scene.take(scene.limitOrder(3, count(20)));
    expect(result).toEqual({ outcome: "accepted", status: "filled", filledShares: count(20) });
    const { row, fills, events } = await harness.readOrder(orderId);
    const taken = harness.groupsMakers
      ? [[(scene.own(0) + scene.own(2)) / 2n, count(20), "taker"]]
      : [
          [scene.own(0), TEN, "taker"],
          [scene.own(2), TEN, "taker"],
        ];
    expect(events).toEqual(["received", ...taken.map(() => "matched"), "filled"]);
    expect(fills.map(({ price, shares: size, role }) => [price, size, role])).toEqual(taken);
    expect(row.filledNotional).toBe(
      notional(TEN, scene.own(0), "down") + notional(TEN, scene.own(2), "down"),
    );
    for (const maker of [first, second]) {
      const { row: made, fills: madeFills } = await harness.readOrder(maker);
      expect([made.status, made.fee, madeFills.map(({ role }) => role)]).toEqual([
        "filled",
        0n,
        ["maker"],
      ]);
    }
  });

  it.each(WAYS)("%s of outcome %i rests with its unfilled part", async (...way) => {
    const scene = await openScene(harness, ...way);
    await scene.rest(0, TEN);
    const { orderId, result } = await scene.take(scene.limitOrder(1, count(25)));
    expect(result).toEqual({ outcome: "accepted", status: "open", filledShares: TEN });
    const { row, events } = await harness.readOrder(orderId);
    expect([row.filledShares, row.status]).toEqual([TEN, "open"]);
    expect(events).toEqual(["received", "matched", "opened"]);
    const rest = count(15);
    expect(row.held).toBe(way[0] === "BUY" ? notional(rest, scene.own(1), "up") : rest);
  });

  it("orders at one price fill oldest first", async () => {
    const scene = await openScene(harness);
    const ids = [await scene.rest(1, TEN), await scene.rest(1, TEN), await scene.rest(1, TEN)];
    await scene.take(scene.limitOrder(1, count(15)));
    const filled = await Promise.all(ids.map(async (id) => (await harness.readOrder(id)).row));
    expect(filled.map((row) => row.filledShares)).toEqual([TEN, count(5), 0n]);
  });
}

function takerContract(harness: VenueHarness): void {
  it.each(WAYS)("%s of outcome %i drops the part beyond its worst price", async (...way) => {
    const scene = await openScene(harness, ...way);
    await scene.rest(0, TEN);
    await scene.rest(1, TEN);
    const beyond = await scene.rest(2, TEN);
    const { orderId, result } = await scene.take(scene.marketOrder(count(50), 1));
    expect(result).toEqual({ outcome: "accepted", status: "canceled", filledShares: count(20) });
    const { row, fills, events } = await harness.readOrder(orderId);
    const prices = harness.groupsMakers
      ? [(scene.own(0) + scene.own(1)) / 2n]
      : [scene.own(0), scene.own(1)];
    expect(fills.map(({ price }) => price)).toEqual(prices);
    expect([row.status, row.held]).toEqual(["canceled", 0n]);
    const matches = prices.map(() => "matched");
    expect(events).toEqual(["received", ...matches, "canceled:remainder_dropped"]);
    expect((await harness.readOrder(beyond)).row.filledShares).toBe(0n);
    const book = await harness.readBook(scene.market);
    const side = toBookSide(...way);
    const standing = (on: BookSide) =>
      [0, 1, 2].map((at) => sizeAt(book, on, toBookPrice(way[1], scene.own(at))));
    expect(standing(oppositeSide(side))).toEqual([0n, 0n, TEN]);
    expect(standing(side)).toEqual([0n, 0n, 0n]);
  });

  it.each(WAYS)(
    "%s of outcome %i without a worst price reaches 0.05 beyond the best price",
    async (...way) => {
      const scene = await openScene(harness, ...way);
      const { tick } = scene.market;
      await scene.rest(0, TEN);
      const limit =
        way[0] === "BUY"
          ? floorToGrid(scene.own(0) + PROTECTION, tick)
          : ceilToGrid(scene.own(0) - PROTECTION, tick);
      expect((await scene.estimate(scene.marketOrder(count(300), null))).limit).toBe(limit);
      const { orderId } = await scene.take(scene.marketOrder(count(300), null));
      const { fills } = await harness.readOrder(orderId);
      if (!harness.groupsMakers) expect(fills[0]?.price).toBe(scene.own(0));
      for (const { price } of fills) {
        expect(way[0] === "BUY" ? price <= limit : price >= limit).toBe(true);
      }
    },
  );

  it.each([0, 1] as const)(
    "an amount of outcome %i is spent except for less than a lot's price, and never exceeded",
    async (outcome) => {
      const scene = await openScene(harness, "BUY", outcome);
      await scene.rest(0, TEN);
      await scene.rest(1, count(500));
      const amount = usdc(12_340_000n);
      const { orderId, result } = await scene.take(spend(amount, scene.own(1)));
      expect(result).toMatchObject({ outcome: "accepted", status: "filled" });
      const { row } = await harness.readOrder(orderId);
      expect(row.filledNotional).toBeLessThanOrEqual(amount);
      const left = amount - row.filledNotional;
      expect(left).toBeLessThan(notional(LOT, scene.own(1), "up"));
      expect(row.filledShares % LOT).toBe(0n);
    },
  );

  it.each(WAYS)("%s of outcome %i without liquidity is refused", async (...way) => {
    const scene = await openScene(harness, ...way);
    await scene.rest(1, TEN);
    const before = await harness.readTotals();
    const { orderId, result } = await scene.take(scene.marketOrder(TEN, 0));
    expect(result).toMatchObject({ outcome: "rejected", code: "NO_LIQUIDITY" });
    expect(await harness.readTotals()).toEqual(before);
    const { row, events } = await harness.readOrder(orderId);
    expect([row.status, row.held, row.filledShares]).toEqual(["rejected", 0n, 0n]);
    expect(events).toEqual(["received", "rejected"]);
  });
}

function moneyContract(
  harness: VenueHarness,
  { countsReservingOrders, holdsFeeForRest }: VenueCapabilities,
): void {
  it.each(WAYS)(
    "%s of outcome %i holds cost and maximum fee, then only what it needs",
    async (...way) => {
      const scene = await openScene(harness, ...way);
      await scene.rest(0, TEN);
      const [size, limit] = [count(25), scene.own(2)];
      const { orderId } = await scene.take(scene.limitOrder(2, size));
      const taking = holdsFeeForRest ? size : TEN;
      const worst =
        notional(size, limit, "up") + computeMaxTakerFee(taking, limit, scene.market.feeRate);
      const money = await harness.readMoney(orderId);
      expect(money.original).toBe(way[0] === "BUY" ? worst : size);
      await expectHoldBalanced(harness, orderId);
      const asset = way[0] === "BUY" ? "usdc" : scene.market.outcomes[way[1]].tokenId;
      expect((await harness.readFunds(scene.taker, asset)).held).toBe(money.held);
    },
  );

  it.each(WAYS)(
    "filled plus released equal the original hold of every %s of %i",
    async (...way) => {
      const scene = await openScene(harness, ...way);
      await scene.rest(0, count(7));
      await scene.rest(1, count(9));
      const orders = [
        await scene.take(scene.limitOrder(0, count(5))),
        await scene.take(scene.limitOrder(1, count(6))),
        await scene.take(scene.marketOrder(count(90), 1)),
        await scene.take(scene.limitOrder(0, count(33))),
      ];
      const last = orders.at(-1)?.orderId ?? "";
      await harness.cancel(scene.market, scene.taker, [last]);
      const states: string[] = [];
      for (const { orderId } of orders) {
        const { status, held } = await expectHoldBalanced(harness, orderId);
        states.push(status);
        expect(held).toBe(0n);
      }
      expect(states).toEqual(["filled", "filled", "canceled", "canceled"]);
    },
  );

  it("a buy that the account can't pay for is refused with the shortfall and holds nothing", async () => {
    const scene = await openScene(harness);
    const trader = await harness.makeTrader();
    const { market } = scene;
    const size = count(9_000_000);
    const before = await harness.readTotals();
    const intent = createLimitOrder("BUY", scene.own(0), size);
    const { orderId, result } = await submit(harness, { trader, market, outcome: 0, intent });
    expect(result).toMatchObject({ outcome: "rejected", code: "INSUFFICIENT_BALANCE" });
    expect(result.outcome === "rejected" && result.message).toMatch(
      /^This order needs \$[\d,]+\.\d\d; \$10,000\.00 is available\.$/,
    );
    expect(await harness.readTotals()).toEqual(before);
    expect((await harness.readOrder(orderId)).row.status).toBe("rejected");
  });

  it("shares that one order holds cannot be sold by another order", async () => {
    const scene = await openScene(harness, "SELL", 0);
    const first = await scene.take(scene.limitOrder(1, count(400)));
    expect(first.result).toMatchObject({ outcome: "accepted" });
    const before = await harness.readTotals();
    const second = await scene.take(scene.limitOrder(1, count(101)));
    const reserving = countsReservingOrders ? "1 open sell" : "open sells";
    expect(second.result).toMatchObject({
      outcome: "rejected",
      code: "INSUFFICIENT_SHARES",
      message: `This order needs 101 shares; 100 are available (400 are reserved by ${reserving}).`,
    });
    expect(await harness.readTotals()).toEqual(before);
    const third = await scene.take(scene.limitOrder(1, count(100)));
    expect(third.result).toMatchObject({ outcome: "accepted", status: "open" });
  });

  it("an order id that was submitted cannot be submitted again", async () => {
    const scene = await openScene(harness);
    const id = newId("ord");
    await scene.take(scene.limitOrder(0, TEN), id);
    const before = await harness.readTotals();
    await expect(scene.take(scene.limitOrder(0, TEN), id)).rejects.toThrow();
    expect(await harness.readTotals()).toEqual(before);
    expect((await harness.readOrder(id)).events).toEqual(["received", "opened"]);
  });
}

function cancelContract(harness: VenueHarness, { tellsWhoCanceled }: VenueCapabilities): void {
  it("a second cancel of an order returns already_canceled and changes nothing", async () => {
    const scene = await openScene(harness);
    const { orderId } = await scene.take(scene.limitOrder(0, TEN));
    const ask = () => harness.cancel(scene.market, scene.taker, [orderId]);
    expect((await ask()).get(orderId)).toEqual({ outcome: "canceled" });
    const [before, record] = [await harness.readTotals(), await harness.readOrder(orderId)];
    expect(record.row).toMatchObject({ status: "canceled", held: 0n });
    expect((await ask()).get(orderId)).toEqual({ outcome: "already_canceled" });
    expect(await harness.readTotals()).toEqual(before);
    expect(await harness.readOrder(orderId)).toEqual(record);
  });

  const cancelBySix = async () => {
    const scene = await openScene(harness);
    const { orderId } = await scene.take(scene.limitOrder(0, TEN));
    const asked = Array.from({ length: 6 }, () =>
      harness.cancel(scene.market, scene.taker, [orderId]),
    );
    const outcomes = (await Promise.all(asked)).map((results) => results.get(orderId)?.outcome);
    return { orderId, outcomes };
  };

  it.skipIf(!tellsWhoCanceled)(
    "of concurrent cancels, exactly one returns canceled (if the venue reports it)",
    async () => {
      const { outcomes } = await cancelBySix();
      expect(outcomes.toSorted()).toEqual([...Array(5).fill("already_canceled"), "canceled"]);
    },
  );

  it("concurrent cancels cancel an order once, and all return that it is canceled", async () => {
    const { orderId, outcomes } = await cancelBySix();
    for (const outcome of outcomes) expect(["canceled", "already_canceled"]).toContain(outcome);
    const { events } = await harness.readOrder(orderId);
    expect(events).toEqual(["received", "opened", "canceled:requested"]);
    await expectHoldBalanced(harness, orderId);
  });

  it("a canceled, partly filled order keeps its fill and releases the rest", async () => {
    const scene = await openScene(harness);
    await scene.rest(0, TEN);
    const { orderId } = await scene.take(scene.limitOrder(1, count(25)));
    await harness.cancel(scene.market, scene.taker, [orderId]);
    const { row, fills } = await harness.readOrder(orderId);
    expect(row).toMatchObject({ status: "canceled", filledShares: TEN, held: 0n });
    expect(fills).toHaveLength(1);
    await expectHoldBalanced(harness, orderId);
  });

  it("filled and rejected orders are final, and canceling them changes nothing", async () => {
    const scene = await openScene(harness);
    await scene.rest(0, TEN);
    const filled = await scene.take(scene.limitOrder(0, TEN));
    const rejected = await scene.take(scene.marketOrder(TEN, 0));
    const before = await harness.readTotals();
    const ids = [filled.orderId, rejected.orderId];
    const results = await harness.cancel(scene.market, scene.taker, ids);
    expect(ids.map((id) => results.get(id))).toEqual([
      { outcome: "final", status: "filled" },
      { outcome: "final", status: "rejected" },
    ]);
    expect(await harness.readTotals()).toEqual(before);
  });

  it("other users' orders and unknown orders are ignored and unchanged", async () => {
    const scene = await openScene(harness);
    const others = await scene.rest(0, TEN);
    const mine = (await scene.take(createLimitOrder("BUY", scene.market.tick, count(20)))).orderId;
    const results = await harness.cancel(scene.market, scene.taker, [others, newId("ord"), mine]);
    expect([...results]).toEqual([[mine, { outcome: "canceled" }]]);
    expect((await harness.readOrder(others)).row.status).toBe("open");
  });
}

function estimateContract(harness: VenueHarness, { locksItsBook }: VenueCapabilities): void {
  it.each(WAYS)(
    "an estimate of %s of %i equals the result of submitting the order",
    async (...way) => {
      const scene = await openScene(harness, ...way);
      await scene.rest(0, count(12));
      await scene.rest(1, count(30));
      await scene.rest(2, count(8));
      const intents: OrderIntent[] = [
        scene.marketOrder(TEN, 0),
        scene.limitOrder(1, count(7)),
        scene.marketOrder(count(40), 1),
        scene.limitOrder(3, count(60)),
        scene.marketOrder(count(200), null),
        scene.marketOrder(TEN, 0),
        ...(way[0] === "BUY"
          ? [spend(usdc(50_000_000n), null), spend(usdc(3_210_000n), scene.own(4))]
          : [scene.limitOrder(4, count(20))]),
      ];
      const outcomes = new Set<string>();
      for (const intent of intents) {
        const estimate = await scene.estimate(intent);
        const submitted = await scene.take(intent);
        outcomes.add(await expectAsEstimated(harness, estimate, submitted));
        const { original } = await harness.readMoney(submitted.orderId);
        if (locksItsBook) expect(original).toBe(estimate.hold);
        else expect(original).toBeGreaterThanOrEqual(estimate.hold);
        const { result, orderId } = submitted;
        if (result.outcome === "accepted" && result.status === "open")
          await harness.cancel(scene.market, scene.taker, [orderId]);
      }
      expect([...outcomes]).toEqual(expect.arrayContaining(["filled", "canceled", "open"]));
    },
  );

  it("an estimate of a refused order has the same refusal", async () => {
    const scene = await openScene(harness);
    const intent = scene.marketOrder(TEN, 0);
    const before = await harness.readTotals();
    const estimate = await scene.estimate(intent);
    const { result } = await scene.take(intent);
    expect(result).toEqual({ outcome: "rejected", ...estimate.refusal });
    expect(await harness.readTotals()).toEqual(before);
  });
}

function redeemContract(harness: VenueHarness): void {
  it("a position pays $1 per winning share and $0 per losing share, once", async () => {
    const scene = await openScene(harness);
    const { market, taker, maker } = scene;
    await scene.rest(0, TEN);
    await scene.take(scene.limitOrder(0, TEN));
    const redeem = (trader: typeof taker, outcome: OutcomeIndex) =>
      harness.redeem({ userId: trader.userId, market, outcome });
    expect(await redeem(taker, 0)).toEqual({ outcome: "not_resolved" });
    await harness.resolve(market);
    const { status, winner } = harness.venue.getState(market);
    expect(status).toBe("resolved");
    const payout = (outcome: OutcomeIndex) => (winner === outcome ? TEN : 0n);
    expect(await redeem(taker, 0)).toEqual({
      outcome: "redeemed",
      shares: TEN,
      payout: payout(0),
    });
    expect(await redeem(taker, 0)).toEqual({ outcome: "nothing_held" });
    expect(await redeem(taker, 1)).toEqual({ outcome: "nothing_held" });
    expect(await redeem(maker, 1)).toMatchObject({ outcome: "redeemed", payout: payout(1) });
  });
}

function spend(amount: Usdc, worstPrice: Price | null): OrderIntent {
  return { type: "market", action: "BUY", worstPrice, shares: null, amount };
}

function sizeAt(book: Book, side: BookSide, price: Price): bigint {
  const there = queue(book, side).filter((maker) => getMakerPrice(maker) === price);
  return there.reduce((total, maker) => total + getMakerSize(maker), 0n);
}

/** Expects that an order's original hold equals spent plus released plus held, to the micro-unit. */
async function expectHoldBalanced(harness: VenueHarness, orderId: string): Promise<OrderRow> {
  const { row } = await harness.readOrder(orderId);
  const { original, spent, released, held } = await harness.readMoney(orderId);
  expect(spent + released + held).toBe(original);
  expect(spent).toBe(row.action === "BUY" ? row.filledNotional + row.fee : row.filledShares);
  return row;
}

/** Compares an estimate with the placed order; returns the order's state. */
async function expectAsEstimated(
  harness: VenueHarness,
  estimate: OrderEstimate,
  { orderId, result }: Submitted,
): Promise<string> {
  if (result.outcome === "rejected") {
    const { outcome: _rejected, ...refusal } = result;
    expect(estimate.refusal).toEqual(refusal);
    return "rejected";
  }
  const { row, fills } = await harness.readOrder(orderId);
  const isOpen = row.status === "open";
  expect(estimate).toEqual({
    refusal: null,
    builderFee: null,
    filledShares: row.filledShares,
    notional: row.filledNotional,
    fee: row.fee,
    worstFillPrice: harness.groupsMakers
      ? expect.toSatisfy(isNoBetterThan(row.action, fills.at(-1)?.price ?? null))
      : (fills.at(-1)?.price ?? null),
    limit: row.price ?? estimate.limit,
    // Of the book before the order; tests/unit/domain/order-estimate has its value.
    mid: estimate.mid,
    restingShares: isOpen && row.shares !== null ? row.shares - row.filledShares : 0n,
    hold: estimate.hold,
    // tests/db/approvals.test.ts covers orders that trade later.
    laterHold: estimate.laterHold,
  });
  return row.status;
}

/** Returns a check that the worst price is no better than the average. Both are null without fills. */
function isNoBetterThan(action: Action, average: Price | null) {
  return (worst: Price | null) => {
    if (worst === null || average === null) return worst === average;
    return action === "BUY" ? worst >= average : worst <= average;
  };
}
