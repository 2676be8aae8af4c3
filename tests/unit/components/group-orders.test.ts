import { describe, expect, it } from "vitest";
import { buildOrdersHref, formatWaiting, groupByMarket } from "@/components/orders/group-orders";
import type { OpenOrderWire } from "@/lib/browser/use-open-orders";

const makeOrder = (id: string, marketId: string): OpenOrderWire => ({
  id,
  marketId,
  marketTitle: `Market ${marketId}`,
  marketSlug: `market-${marketId}`,
  iconUrl: "/icon.svg",
  status: "open",
  action: "BUY",
  type: "limit",
  price: 0.4,
  shares: 10,
  amount: null,
  timeInForce: "GTC",
  expiresAt: null,
  postOnly: false,
  filledShares: 0,
  origin: "ante",
  idempotencyKey: id,
  createdAt: "2026-11-21T12:00:00.000Z",
  outcome: "Yes",
  tickSize: "0.01",
  openValue: 4,
  isLive: true,
  marketPrice: null,
});

const TOTALS = { count: 3, waiting: 0, buys: 12, sells: 0 };

describe("grouping open orders by market", () => {
  it("keeps the order of the list, and begins with the market of the newest order", () => {
    const orders = [makeOrder("4", "b"), makeOrder("3", "a"), makeOrder("2", "b")];
    const groups = groupByMarket(orders, [{ id: "b", totals: TOTALS }]);
    expect(groups.map(({ title, orders: own }) => [title, own.map(({ id }) => id)])).toEqual([
      ["Market b", ["4", "2"]],
      ["Market a", ["3"]],
    ]);
  });

  it("takes the totals from the server, because a filter can leave orders out", () => {
    const orders = [makeOrder("2", "b"), makeOrder("1", "a")];
    const groups = groupByMarket(orders, [{ id: "b", totals: TOTALS }]);
    expect(groups.map(({ totals }) => totals.count)).toEqual([3, 0]);
  });

  it("of no orders returns no groups", () => {
    expect(groupByMarket([], [{ id: "b", totals: TOTALS }])).toEqual([]);
  });
});

it("a count of orders says how many of them wait for approval, if any do", () => {
  expect(formatWaiting({ ...TOTALS, waiting: 1 })).toBe(", 1 waiting for approval");
  expect(formatWaiting(TOTALS)).toBe("");
});

it("the address of the orders page has the filters and the grouping", () => {
  expect(buildOrdersHref("", false)).toBe("/orders");
  expect(buildOrdersHref("side=buy", false)).toBe("/orders?side=buy");
  expect(buildOrdersHref("", true)).toBe("/orders?group=market");
  expect(buildOrdersHref("side=buy&q=rain", true)).toBe("/orders?side=buy&q=rain&group=market");
});
