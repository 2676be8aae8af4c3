import { expect, it } from "vitest";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";
import { getSummary } from "@/lib/portfolio/get-summary";
import { complement, notional, type Shares, shares } from "@/lib/units";
import {
  findPriceInside,
  freshMarket,
  mintPair,
  place,
  useTestClock,
} from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

const count = (whole: number): Shares => shares(BigInt(whole) * 1_000_000n);

it("an open order's value is of its unfilled part, so that the list's rows add up to its total", async () => {
  const [user, other, market] = [await makeUser(), await makeUser(), freshMarket()];
  await mintPair(market, { first: user, second: other }, count(100));
  const at = findPriceInside(market);
  const bid = { market, action: "BUY", outcome: 0, limit: at(1), size: count(100) } as const;
  await place(user, bid);
  const worst = complement(at(1));
  await place(other, { market, action: "BUY", outcome: 1, worst, size: count(40) });
  await place(user, { market, action: "SELL", outcome: 0, limit: at(3), size: count(100) });
  await place(other, { market, action: "BUY", outcome: 0, worst: at(3), size: count(30) });

  const { orders, totals } = await getOpenOrdersView(user.principal, {});
  expect(orders.map(({ filledShares, openValue }) => [filledShares, openValue])).toEqual([
    [count(30), notional(count(70), at(3), "down")],
    [count(40), notional(count(60), at(1), "up")],
  ]);
  expect(totals).toEqual({
    count: 2,
    waiting: 0,
    buys: notional(count(60), at(1), "up"),
    sells: count(70),
  });
  // The sell reserves shares, and no cash.
  const { openOrders, waitingOrders, openBuys, reservedUsdc } = await getSummary(user.principal);
  expect({ openOrders, waitingOrders, openBuys, reservedUsdc }).toEqual({
    openOrders: 2,
    waitingOrders: 0,
    openBuys: 1,
    reservedUsdc: totals.buys,
  });
});
