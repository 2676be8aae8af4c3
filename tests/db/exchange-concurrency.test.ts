import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { ONE, type Price, price, type Shares, shares, usdc } from "@/lib/units";
import { tick } from "@/lib/exchange/ticker";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  freshMarket,
  findPriceInside,
  mintPair,
  type Placed,
  place,
  REPRICE,
  getToken,
  useTestClock,
} from "@/tests/support/exchange/orders";
import {
  readCashBalance,
  readOrderMoney,
  orderRow,
  readHeldShares,
} from "@/tests/support/exchange/ledger";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
const clock = useTestClock();
afterEach(async () => expect((await verifyBooks()).problems).toEqual([]));

const LONG = 120_000;
const count = (whole: number): Shares => shares(BigInt(whole) * 1_000_000n);
const toComplement = (at: bigint): Price => price(ONE - at);
const listCodes = (placed: readonly Placed[]) =>
  new Set(placed.flatMap(({ code }) => (code === null ? [] : [code])));

describe("one user with many concurrent orders", () => {
  it("64 parallel orders in several markets never spend more than the balance", async () => {
    const deposited = usdc(100_000_000n);
    const user = await makeUser(deposited);
    const markets = Array.from({ length: 4 }, () => freshMarket());
    const placed = await Promise.all(
      Array.from({ length: 64 }, (_, index) => {
        const market = markets[index % markets.length] ?? freshMarket();
        const buy = { market, action: "BUY", outcome: 0 } as const;
        const size = count(10 + (index % 7));
        // Every second order rests and only holds; the others fill immediately.
        return index % 2 === 0
          ? place(user, { ...buy, limit: findPriceInside(market)(0), size })
          : place(user, { ...buy, amount: usdc(5_000_000n) });
      }),
    );
    expect(listCodes(placed)).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
    const rows = await Promise.all(placed.map(({ orderId }) => orderRow(orderId)));
    const spent = rows.reduce((sum, row) => sum + row.filledNotional + row.fee, 0n);
    const held = rows.reduce((sum, row) => sum + row.held, 0n);
    const cash = await readCashBalance(user);
    expect(cash.held).toBe(held);
    expect(cash.available).toBe(deposited - spent - held);
    expect(cash.available).toBeGreaterThanOrEqual(0n);
    // The remaining balance is less than the largest refused order needed.
    expect(cash.available).toBeLessThan(15_000_000n);
    for (const { orderId, code } of placed) {
      const money = await readOrderMoney(orderId);
      expect(money.spent + money.released + money.held).toBe(money.original);
      if (code !== null) expect(money.original).toBe(0n);
    }
  });

  it("parallel sells never hold a share twice", async () => {
    const [user, other, market] = [await makeUser(), await makeUser(), freshMarket()];
    await mintPair(market, { first: user, second: other }, count(100));
    const limit = findPriceInside(market)(2);
    const sell = { market, action: "SELL", outcome: 0, limit, size: count(9) } as const;
    const placed = await Promise.all(Array.from({ length: 24 }, () => place(user, sell)));
    expect(placed.filter(({ status }) => status === "open")).toHaveLength(11);
    expect(listCodes(placed)).toEqual(new Set(["INSUFFICIENT_SHARES"]));
    expect(await readHeldShares(user, getToken(market, 0))).toEqual({
      available: count(1),
      held: count(99),
    });
  });

  it("parallel takers fill at most what one maker offers", async () => {
    const [maker, market] = [await makeUser(), freshMarket()];
    const at = findPriceInside(market)(0);
    const offer = { market, action: "BUY", outcome: 1, limit: toComplement(at) } as const;
    const { orderId } = await place(maker, { ...offer, size: count(100) });
    const takers = await Promise.all(Array.from({ length: 4 }, () => makeUser()));
    const buy = { market, action: "BUY", outcome: 0, worst: at, size: count(15) } as const;
    const placed = await Promise.all(
      Array.from({ length: 12 }, (_, index) => place(takers[index % 4] ?? maker, buy)),
    );
    const rows = await Promise.all(placed.map((one) => orderRow(one.orderId)));
    const bought = rows.reduce((sum, row) => sum + row.filledShares, 0n);
    expect(bought).toBe(count(100));
    expect(listCodes(placed)).toEqual(new Set(["NO_LIQUIDITY"]));
    expect((await orderRow(orderId)).status).toBe("filled");
  });
});

describe("two users, two markets", () => {
  it(
    "concurrent opposite orders never deadlock",
    async () => {
      const [ada, bob] = [await makeUser(), await makeUser()];
      const [here, there] = [freshMarket(), freshMarket()];
      const rest = (user: TestUser, market: typeof here) =>
        place(user, {
          market,
          action: "BUY",
          outcome: 1,
          limit: toComplement(findPriceInside(market)(0)),
          size: count(10),
        });
      const take = (user: TestUser, market: typeof here) =>
        place(user, {
          market,
          action: "BUY",
          outcome: 0,
          worst: findPriceInside(market)(0),
          size: count(10),
        });
      for (let round = 0; round < 15; round += 1) {
        await rest(ada, here);
        await rest(bob, there);
        const taken = await Promise.all([take(bob, here), take(ada, there)]);
        expect(taken.map(({ status }) => status)).toEqual(["filled", "filled"]);
      }
    },
    LONG,
  );

  it(
    "concurrent orders, cancels and ticks of all users finish, and the books agree",
    async () => {
      const users = await Promise.all(Array.from({ length: 4 }, () => makeUser()));
      const markets = [freshMarket(), freshMarket()];
      for (let round = 0; round < 4; round += 1) {
        const work = users.flatMap((user, index) =>
          markets.flatMap((market, which) => {
            const at = findPriceInside(market)((index + round) % 3);
            const outcome = (index + which) % 2 === 0 ? 0 : 1;
            const limit = outcome === 0 ? at : toComplement(at);
            const order = { market, action: "BUY", outcome, limit, size: count(6) } as const;
            return [
              place(user, order),
              place(user, order).then(({ orderId }) =>
                cancelOrder(user.principal, orderId).catch(expectNotCancelable),
              ),
            ];
          }),
        );
        await Promise.all([...work, tick(), tick()]);
        expect((await verifyBooks()).problems).toEqual([]);
        clock.advance(REPRICE);
      }
    },
    LONG,
  );
});

describe("a cancel racing a fill", () => {
  it(
    "exactly one of them gets the order, and filled plus released shares equal the original",
    async () => {
      const [maker, taker, market] = [await makeUser(), await makeUser(), freshMarket()];
      const at = findPriceInside(market)(0);
      const offer = { market, action: "BUY", outcome: 1, limit: toComplement(at) } as const;
      const buy = { market, action: "BUY", outcome: 0, worst: at } as const;
      for (let round = 0; round < 100; round += 1) {
        const { orderId } = await place(maker, { ...offer, size: count(10) });
        const isWhole = round % 3 !== 0;
        const fill = () => place(taker, { ...buy, size: count(isWhole ? 10 : 5) });
        const cancel = () => cancelOrder(maker.principal, orderId).catch(expectNotCancelable);
        // They take turns to start first; the database decides which commits first.
        const early = round % 2 === 0 ? fill() : null;
        const canceling = cancel();
        const [taken, canceled] = await Promise.all([early ?? fill(), canceling]);
        const isFilled = taken.code === null;
        const row = await orderRow(orderId);
        if (isWhole) {
          expect(canceled === null).toBe(isFilled);
          expect(row.status).toBe(isFilled ? "filled" : "canceled");
        } else {
          expect(canceled).not.toBeNull();
          expect(row.status).toBe("canceled");
        }
        expect(row.filledShares).toBe(isFilled ? count(isWhole ? 10 : 5) : 0n);
        const money = await readOrderMoney(orderId);
        expect(money.held).toBe(0n);
        expect(money.spent + money.released).toBe(money.original);
      }
    },
    LONG,
  );

  it("concurrent cancels and fills of one order fill or release each share exactly once", async () => {
    const [maker, market] = [await makeUser(), freshMarket()];
    const takers = await Promise.all(Array.from({ length: 3 }, () => makeUser()));
    const at = findPriceInside(market)(0);
    const offer = { market, action: "BUY", outcome: 1, limit: toComplement(at) } as const;
    const buy = { market, action: "BUY", outcome: 0, worst: at, size: count(7) } as const;
    for (let round = 0; round < 10; round += 1) {
      const { orderId } = await place(maker, { ...offer, size: count(20) });
      const cancels = [0, 1].map(() =>
        cancelOrder(maker.principal, orderId).catch(expectNotCancelable),
      );
      const [fills] = await Promise.all([
        Promise.all(takers.map((taker) => place(taker, buy))),
        ...cancels,
      ]);
      const rows = await Promise.all(fills.map((fill) => orderRow(fill.orderId)));
      const taken = rows.reduce((sum, row) => sum + row.filledShares, 0n);
      const row = await orderRow(orderId);
      expect(row.filledShares).toBe(taken);
      const money = await readOrderMoney(orderId);
      expect(money.held).toBe(0n);
      expect(money.spent + money.released).toBe(money.original);
    }
  });
});

/** Returns null for the only allowed failure of a cancel. */
function expectNotCancelable(error: unknown): null {
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "ORDER_NOT_CANCELABLE" });
  return null;
}
