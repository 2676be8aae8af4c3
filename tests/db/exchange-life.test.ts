import { afterEach, describe, expect, it } from "vitest";
import { collateral, house, issuance } from "@/lib/ledger/accounts";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { add, ONE, price, type Shares, shares, type Usdc, usdc } from "@/lib/units";
import { paperVenue } from "@/lib/exchange";
import { computeReferencePrice } from "@/lib/exchange/reference-price";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { tick } from "@/lib/exchange/ticker";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  MINUTE,
  mintPair,
  place,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  readOrderEvents,
  readCashBalance,
  readOrderMoney,
  orderRow,
  readPosition,
  readLedger,
  readTotals,
  readHeldShares,
} from "@/tests/support/exchange/ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const DAY = 24 * 60 * MINUTE;
const SIZE = shares(20_000_000n);
const DEPOSIT = usdc(1_000_000_000n);

/** Returns a market that closes within a week. */
function endingMarket(): PaperMarket {
  return freshMarket({ inside: 2, closesAfter: MINUTE, closesWithin: 7 * DAY });
}

/** Returns the less likely outcome before the close: distant asks of it rest. */
function coldOutcome(market: PaperMarket): 0 | 1 {
  return computeReferencePrice(market, clock.now) > ONE / 2n ? 1 : 0;
}

/** Two users with a minted pair: `first` holds YES, `second` holds NO. No other user trades. */
async function openPair() {
  const market = endingMarket();
  const [first, second] = [await makeUser(DEPOSIT), await makeUser(DEPOSIT)];
  await mintPair(market, { first, second }, SIZE);
  return { market, first, second };
}

/** Waits until the market is resolved, and returns the winner. */
function resolve(market: PaperMarket) {
  clock.set(market.resolvesAt);
  const { winner } = paperVenue.getState(market);
  if (winner === null) throw new Error("a resolved market has a winner");
  return winner;
}

const claim = (user: TestUser, market: PaperMarket, outcome: 0 | 1) =>
  redeemPosition(user.principal, getToken(market, outcome));

const spent = async (user: TestUser): Promise<bigint> =>
  DEPOSIT - (await readCashBalance(user)).owned;

const lockedIn = async (market: PaperMarket) =>
  (await readLedger()).get(collateral(market.id).id) ?? 0n;

describe("when a market closes", () => {
  it("every live order is canceled and its hold released, but not before", async () => {
    const { market, first, second } = await openPair();
    clock.set(market.closesAt - 1);
    const cold = coldOutcome(market);
    const holder = cold === 0 ? first : second;
    const high = price(ONE - market.tick);
    const sell = { market, action: "SELL", outcome: cold, limit: high, size: SIZE } as const;
    const warm = cold === 0 ? 1 : 0;
    const buy = { market, action: "BUY", outcome: warm, limit: market.tick, size: SIZE } as const;
    const orders = [
      await place(holder, buy),
      await place(holder, sell),
      await place(holder, buy, "delayed"),
    ].map((placed) => placed.orderId);
    await tick();
    const live = await Promise.all(orders.map(async (id) => (await orderRow(id)).status));
    expect(live).toEqual(["open", "open", "delayed"]);

    clock.set(market.closesAt);
    await tick();
    for (const id of orders) {
      expect((await orderRow(id)).status).toBe("canceled");
      expect((await readOrderEvents(id)).at(-1)).toBe("canceled:market_closed");
      const money = await readOrderMoney(id);
      expect(money).toMatchObject({ spent: 0n, held: 0n, released: money.original });
    }
    expect((await readCashBalance(holder)).held).toBe(0n);
    expect((await readHeldShares(holder, getToken(market, cold))).held).toBe(0n);
    expect(await tick()).toBe(0);
  });

  it("a new order is refused with the closing time, and its key stays unused", async () => {
    const { market, first } = await openPair();
    clock.set(market.closesAt);
    const before = await readTotals();
    const order = { market, action: "BUY", outcome: 0, size: SIZE, key: "kept free" } as const;
    await expect(place(first, order)).rejects.toMatchObject({
      code: "MARKET_CLOSED",
      message: `This market closed at ${new Date(market.closesAt).toISOString()}.`,
    });
    expect(await readTotals()).toEqual(before);
    const elsewhere = await place(first, { ...order, market: freshMarket() });
    expect(elsewhere.status).toBe("filled");
  });

  it("a cancel of an order that is still open returns that the close canceled it", async () => {
    const { market, first } = await openPair();
    clock.set(market.closesAt - 1);
    const outcome = coldOutcome(market) === 0 ? 1 : 0;
    const order = { market, action: "BUY", outcome, limit: market.tick, size: SIZE } as const;
    const { orderId } = await place(first, order);
    clock.set(market.closesAt);
    expect(await cancelOrder(first.principal, orderId)).toMatchObject({ status: "canceled" });
    expect((await readOrderEvents(orderId)).at(-1)).toBe("canceled:market_closed");
  });

  it("but is not resolved yet, no position can be claimed", async () => {
    const { market, first } = await openPair();
    clock.set(market.resolvesAt - 1);
    const before = await readTotals();
    await expect(claim(first, market, 0)).rejects.toMatchObject({ code: "ORDER_REJECTED" });
    expect(await readTotals()).toEqual(before);
    const { positions } = await getPortfolio(first.principal);
    expect(positions).toMatchObject([{ redeemable: false, shares: SIZE }]);
  });
});

describe("when a market is resolved", () => {
  it("winners get $1 per share, losers $0, and no collateral remains", async () => {
    const { market, first, second } = await openPair();
    const winner = resolve(market);
    const [winning, losing] = winner === 0 ? [first, second] : [second, first];
    const before = await Promise.all([readCashBalance(winning), readCashBalance(losing)]);
    expect(await lockedIn(market)).toBe(SIZE);

    const lost = await claim(losing, market, winner === 0 ? 1 : 0);
    expect(lost).toMatchObject({ shares: SIZE, payoutUsdc: 0n });
    expect(await lockedIn(market)).toBe(SIZE);
    expect((await verifyBooks()).problems).toEqual([]);
    const won = await claim(winning, market, winner);
    expect(won).toMatchObject({ shares: SIZE, payoutUsdc: SIZE });

    const after = await Promise.all([readCashBalance(winning), readCashBalance(losing)]);
    expect(after.map((cash, index) => cash.available - (before[index]?.available ?? 0n))).toEqual([
      SIZE,
      0n,
    ]);
    expect(await lockedIn(market)).toBe(0n);
    const ledger = await readLedger();
    for (const outcome of [0, 1] as const) {
      expect(ledger.get(issuance(getToken(market, outcome)).id)).toBe(0n);
    }
  });

  it("a position is redeemable at 1 or 0 until it is claimed", async () => {
    const { market, first, second } = await openPair();
    const winner = resolve(market);
    for (const [user, outcome] of [
      [first, 0],
      [second, 1],
    ] as const) {
      const [currentPrice, value] = outcome === winner ? [ONE, SIZE] : [0n, 0n];
      const { positions } = await getPortfolio(user.principal);
      expect(positions).toMatchObject([{ redeemable: true, currentPrice, value }]);
      await claim(user, market, outcome);
      expect((await getPortfolio(user.principal)).positions).toEqual([]);
    }
  });

  it("claiming twice is refused and pays nothing", async () => {
    const { market, first } = await openPair();
    resolve(market);
    await claim(first, market, 0);
    const [before, cash] = [await readTotals(), await readCashBalance(first)];
    await expect(claim(first, market, 0)).rejects.toMatchObject({ code: "INSUFFICIENT_SHARES" });
    await expect(claim(first, market, 1)).rejects.toMatchObject({ code: "INSUFFICIENT_SHARES" });
    expect([await readTotals(), await readCashBalance(first)]).toEqual([before, cash]);
  });

  it("concurrent claims pay exactly once", async () => {
    const { market, first, second } = await openPair();
    const winner = resolve(market);
    const winning = winner === 0 ? first : second;
    const before = await readCashBalance(winning);
    const claims = Array.from({ length: 5 }, () => claim(winning, market, winner));
    const results = await Promise.allSettled(claims);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect((await readCashBalance(winning)).available - before.available).toBe(SIZE);
  });

  it("the remaining collateral equals the value of the house's winning shares", async () => {
    const market = endingMarket();
    const users: [TestUser, 0 | 1][] = [
      [await makeUser(), 0],
      [await makeUser(), 1],
    ];
    for (const [user, outcome] of users) {
      await place(user, { market, action: "BUY", outcome, amount: usdc(15_000_000n) });
    }
    const winner = resolve(market);
    for (const [user, outcome] of users) await claim(user, market, outcome);
    const ledger = await readLedger();
    const ofHouse = ledger.get(house(market.id, getToken(market, winner)).id) ?? 0n;
    expect(ofHouse).toBeGreaterThan(0n);
    expect(await lockedIn(market)).toBe(ofHouse);
  });

  it("shares that a live order still holds are claimed with the others", async () => {
    const { market, first, second } = await openPair();
    clock.set(market.closesAt - 1);
    const outcome = coldOutcome(market);
    const holder = outcome === 0 ? first : second;
    const limit = price(ONE - market.tick);
    const offer = { market, action: "SELL", outcome, limit, size: SIZE } as const;
    expect((await place(holder, offer)).status).toBe("open");
    const payout = resolve(market) === outcome ? SIZE : 0n;
    const claimed = await claim(holder, market, outcome);
    expect(claimed).toMatchObject({ shares: SIZE, payoutUsdc: payout });
  });

  it("profit and loss equal account value minus deposits, before and after the claim", async () => {
    const { market, first, second } = await openPair();
    const winner = resolve(market);
    const [winning, losing] = winner === 0 ? [first, second] : [second, first];
    const expected = [SIZE - (await spent(winning)), -(await spent(losing))];
    const pnl = async (): Promise<Usdc[]> => [
      (await getPortfolio(winning.principal)).totalPnl,
      (await getPortfolio(losing.principal)).totalPnl,
    ];
    expect(await pnl()).toEqual(expected);
    await claim(winning, market, winner);
    await claim(losing, market, winner === 0 ? 1 : 0);
    expect(await pnl()).toEqual(expected);
    const { realizedPnl } =
      (await readPosition(losing, getToken(market, winner === 0 ? 1 : 0))) ?? {};
    expect(realizedPnl).toBeLessThan(0n);
  });

  it("a position can be claimed long after the market was delisted", async () => {
    const { market, first, second } = await openPair();
    const winner = resolve(market);
    clock.advance(400 * DAY);
    expect((await paperVenue.listMarkets()).map(({ id }) => id)).not.toContain(market.id);
    const winning = winner === 0 ? first : second;
    const { positions } = await getPortfolio(winning.principal);
    expect(positions).toMatchObject([{ redeemable: true, marketTitle: market.title }]);
    expect(await claim(winning, market, winner)).toMatchObject({ payoutUsdc: SIZE });
  });
});

describe("the collateral of a market", () => {
  it("always equals the outstanding shares of either side", async () => {
    const market = endingMarket();
    const [user, other] = [await makeUser(), await makeUser()];
    const steps: [TestUser, "BUY" | "SELL", 0 | 1, Shares][] = [
      [user, "BUY", 0, SIZE],
      [other, "BUY", 1, add(SIZE, SIZE)],
      [user, "SELL", 0, shares(SIZE / 2n)],
      [other, "SELL", 1, SIZE],
    ];
    for (const [who, action, outcome, size] of steps) {
      await place(who, { market, action, outcome, size });
      const ledger = await readLedger();
      const outstanding = [0, 1].map(
        (index) => -(ledger.get(issuance(getToken(market, index as 0 | 1)).id) ?? 0n),
      );
      const locked = await lockedIn(market);
      expect(outstanding).toEqual([locked, locked]);
    }
  });
});
