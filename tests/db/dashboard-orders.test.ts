import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { OrderLine } from "@/lib/schemas/dashboard-orders";
import { parseKey } from "@/lib/auth/api-key";
import { issueKey } from "@/lib/limits/issue-key";
import { cancelChosenOrders } from "@/lib/orders/cancel-order";
import { listHistoryMarkets, listOrderHistory } from "@/lib/orders/order-history";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";
import { getOrderLine } from "@/lib/orders/get-order";
import { getSummary } from "@/lib/portfolio/get-summary";
import { callApi } from "@/tests/support/api/call-api";
import { cancel, place, readOrder } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  SECOND_MS,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { expectUnchanged } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";
import { EXPORT_COLUMNS, exportOrderHistory } from "@/lib/orders/export-orders";

const clock = useExchange();

let user: TestUser;
let other: TestUser;
let markets: TestMarkets;
/** Orders by status, a second apart. */
const made: Record<string, string> = {};

beforeAll(async () => {
  [user, other] = [await makeUser(), await makeUser()];
  markets = await loadMarkets(user.apiKey);
  const { free, taxed, bidless } = markets;
  const bodies = {
    open: orderFor(free, { shares: 10 }),
    openNo: orderFor(taxed, { tokenId: taxed.outcomes[1].tokenId, shares: 5 }),
    canceled: orderFor(free),
    filled: orderFor(taxed, { orderType: "market", shares: 20 }),
    rejected: orderFor(bidless, { orderType: "market", action: "SELL", shares: 5 }),
  };
  for (const [name, body] of Object.entries(bodies)) {
    const answer = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
    made[name] = answer.headers.get("location")?.slice("/v1/orders/".length) ?? "";
    clock.advance(SECOND_MS);
  }
  // Placed before the other closed orders, closed after them.
  await cancel(user.apiKey, made["canceled"] ?? "");
});

const listNames = (orders: readonly { id: string }[]) => {
  const names = new Map(Object.entries(made).map(([name, id]) => [id, name]));
  return orders.map(({ id }) => names.get(id));
};
const createId = (name: string) => made[name] ?? "";

describe("the list of open orders", () => {
  const board = (filter: Parameters<typeof getOpenOrdersView>[1] = {}) =>
    getOpenOrdersView(user.principal, filter);

  it("has the open orders, newest first, with their market's title", async () => {
    const { orders, markets: listed } = await board();
    expect(listNames(orders)).toEqual(["openNo", "open"]);
    expect(orders[1]).toMatchObject({
      marketId: markets.free.id,
      outcome: markets.free.outcomes[0].name,
      isLive: true,
      filledShares: 0n,
    });
    expect(listed.find(({ id }) => id === markets.free.id)).toMatchObject({
      title: markets.free.title,
      slug: markets.free.slug,
      tickSize: markets.free.tickSize,
    });
  });

  it("has the exact totals of the funds that canceling releases", async () => {
    const { totals } = await board();
    const { reservedUsdc } = await getSummary(user.principal);
    expect(totals).toEqual({ count: 2, waiting: 0, buys: reservedUsdc, sells: 0n });
    const inFree = await board({ market: markets.free.id });
    const inTaxed = await board({ market: markets.taxed.id });
    expect(inFree.totals.buys + inTaxed.totals.buys).toBe(totals.buys);
    expect((await board()).orders.map(({ openValue }) => openValue)).toEqual([
      inTaxed.totals.buys,
      inFree.totals.buys,
    ]);
    const closed = await getOrderLine(user.principal, createId("filled"));
    expect(closed.reserved).toBe(0n);
  });

  it("has the totals of each market, also while filters leave its orders out", async () => {
    const { totals, markets: listed } = await board({ market: markets.free.id });
    const inFree = listed.find(({ id }) => id === markets.free.id);
    const inTaxed = listed.find(({ id }) => id === markets.taxed.id);
    expect(inFree?.totals).toEqual(totals);
    expect(inFree?.totals.count).toBe(1);
    expect(inTaxed?.totals).toEqual((await board({ market: markets.taxed.id })).totals);
    const unknown = await board({ market: "unknown" });
    expect(unknown.totals).toEqual({ count: 0, waiting: 0, buys: 0n, sells: 0n });
  });

  it("filters by market, side and text, and still lists all markets with open orders", async () => {
    const one = await board({ market: markets.free.id });
    expect(listNames(one.orders)).toEqual(["open"]);
    expect(one.markets).toHaveLength(2);
    expect((await board({ action: "SELL" })).orders).toEqual([]);
    const text = markets.taxed.title.slice(3, 30).toUpperCase();
    expect(listNames((await board({ text })).orders)).toContain("openNo");
    expect((await board({ text: "no such words anywhere" })).orders).toEqual([]);
  });

  it("has no orders of other users", async () => {
    const { orders, markets: offered } = await getOpenOrdersView(other.principal, {});
    expect([orders, offered]).toEqual([[], []]);
  });
});

describe("closed orders", () => {
  const closed = async (filter: Parameters<typeof listOrderHistory>[1] = {}) =>
    listNames((await listOrderHistory(user.principal, filter)).orders);

  it("are sorted by their end, newest first", async () => {
    expect(await closed()).toEqual(["canceled", "rejected", "filled"]);
  });

  it("are filtered by status, side, market and closing time", async () => {
    expect(await closed({ status: "filled" })).toEqual(["filled"]);
    expect(await closed({ action: "SELL" })).toEqual(["rejected"]);
    expect(await closed({ market: markets.free.id })).toEqual(["canceled"]);
    const { updatedAt } = await readOrder(user.apiKey, createId("rejected"));
    expect(await closed({ from: updatedAt })).toEqual(["canceled", "rejected"]);
    expect(await closed({ before: updatedAt })).toEqual(["filled"]);
  });

  it("are found by a part of the market's title, in any letter case, or of the order id", async () => {
    const part = markets.free.title.slice(3, 14).toUpperCase();
    expect(await closed({ market: markets.free.id, text: part })).toEqual(["canceled"]);
    expect(await closed({ text: createId("rejected") })).toEqual(["rejected"]);
    expect(await closed({ text: "100%" })).toEqual([]);
    expect(await closed({ text: "\0" })).toEqual([]);
  });

  it("are filtered by the API key that placed them", async () => {
    const keyId = parseKey(user.apiKey)?.id ?? "";
    expect(await closed({ keyId })).toEqual(["canceled", "rejected", "filled"]);
    const second = await issueKey(user.principal, {
      name: "second",
      scopes: ["read", "trade"],
      lifetime: "90",
      limits: {},
    });
    expect(await closed({ keyId: second.keyId })).toEqual([]);
    expect(await closed({ keyId: `${keyId}\0` })).toEqual([]);
  });

  it("are paged without gaps or repeats", async () => {
    const seen: (string | undefined)[] = [];
    let nextCursor: string | undefined;
    do {
      const page = await listOrderHistory(user.principal, {}, { limit: 1, nextCursor });
      seen.push(...listNames(page.orders));
      nextCursor = page.nextCursor ?? undefined;
    } while (nextCursor !== undefined);
    expect(seen).toEqual(["canceled", "rejected", "filled"]);
  });

  it("reject a cursor of another list", async () => {
    const answer = await callApi("GET", "/v1/orders?limit=1", { key: user.apiKey });
    const { nextCursor } = answer.body.data as unknown as { nextCursor: string };
    await expect(listOrderHistory(user.principal, {}, { nextCursor })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  it("list their markets, and never include other users' orders", async () => {
    expect(await listHistoryMarkets(user.principal)).toHaveLength(3);
    expect(await listHistoryMarkets(other.principal)).toEqual([]);
    expect((await listOrderHistory(other.principal, {})).orders).toEqual([]);
  });

  it("are exported with one cell per column, UTC times and exact decimals", async () => {
    const rows = [];
    for await (const page of exportOrderHistory(user.principal, { status: "filled" })) {
      rows.push(...page);
    }
    const [row] = rows;
    expect(rows).toHaveLength(1);
    const record = await readOrder(user.apiKey, createId("filled"));
    expect(row).toHaveLength(EXPORT_COLUMNS.length);
    const cell = (name: (typeof EXPORT_COLUMNS)[number]) => row?.[EXPORT_COLUMNS.indexOf(name)];
    expect(cell("order_id")).toBe(record.id);
    expect(cell("closed_at")).toBe(record.updatedAt.toISOString());
    expect(cell("filled_shares")).toBe(20);
    expect(cell("limit_price")).toBe(null);
  });
});

describe("one order with its market's title", () => {
  it("is found only by its owner", async () => {
    const line = await getOrderLine(user.principal, createId("filled"));
    expect(z.encode(OrderLine, line)).toMatchObject({ id: createId("filled"), filledShares: 20 });
    for (const id of [createId("filled"), "ord_nope", "\0"]) {
      await expect(getOrderLine(other.principal, id)).rejects.toMatchObject({
        code: "ORDER_NOT_FOUND",
      });
    }
  });
});

describe("canceling selected orders", () => {
  it("cancels them, reports those that had ended, and leaves the others open", async () => {
    const kept = await place(other.apiKey, orderFor(markets.free));
    const first = await place(other.apiKey, orderFor(markets.free));
    const second = await place(other.apiKey, orderFor(markets.taxed));
    const filled = await place(other.apiKey, orderFor(markets.taxed, { orderType: "market" }));
    const outcomes = await cancelChosenOrders(other.principal, [
      first.orderId,
      second.orderId,
      filled.orderId,
      createId("open"),
      "not an id",
    ]);
    expect(outcomes.canceled.toSorted()).toEqual([first.orderId, second.orderId].toSorted());
    expect(outcomes.notCanceled).toEqual([{ id: filled.orderId, status: "filled" }]);
    const { orders } = await getOpenOrdersView(other.principal, {});
    expect(orders.map(({ id }) => id)).toEqual([kept.orderId]);
    expect((await readOrder(user.apiKey, createId("open"))).status).toBe("open");
  });

  it("ignores other users' ids and unknown ids", async () => {
    await expectUnchanged(async () => {
      for (const ids of [[], [createId("open")], ["\0", "ord_nope"]]) {
        await expect(cancelChosenOrders(other.principal, ids)).rejects.toMatchObject({
          code: "ORDER_NOT_FOUND",
        });
      }
    });
  });
});
