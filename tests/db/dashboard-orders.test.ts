import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { OrderLine } from "@/lib/schemas/order-views";
import { cancelChosenOrders } from "@/lib/services/orders/cancel-orders";
import { EXPORT_COLUMNS, exportClosedOrders } from "@/lib/services/orders/export-closed-orders";
import { listClosedMarkets, listClosedOrders } from "@/lib/services/orders/list-closed-orders";
import { readOpenOrderBoard } from "@/lib/services/orders/open-order-board";
import { getOrderLine } from "@/lib/services/orders/get-order-line";
import { getSummary } from "@/lib/services/portfolio/get-summary";
import { callApi } from "@/tests/support/api";
import { cancel, place, readOrder } from "@/tests/support/api-client";
import {
  loadMarkets,
  orderFor,
  SECOND_MS,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api-exchange";
import { expectUnchanged } from "@/tests/support/api-state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let other: TestUser;
let markets: TestMarkets;
/** Orders by what became of them, a second apart. */
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
  // Placed before the others that are over, closed after them.
  await cancel(user.apiKey, made["canceled"] ?? "");
});

const namesOf = (orders: readonly { id: string }[]) => {
  const names = new Map(Object.entries(made).map(([name, id]) => [id, name]));
  return orders.map(({ id }) => names.get(id));
};
const idOf = (name: string) => made[name] ?? "";

describe("the board of open orders", () => {
  const board = (filter: Parameters<typeof readOpenOrderBoard>[1] = {}) =>
    readOpenOrderBoard(user.principal, filter);

  it("has the live orders, newest first, with their market's words", async () => {
    const { orders } = await board();
    expect(namesOf(orders)).toEqual(["openNo", "open"]);
    expect(orders[1]).toMatchObject({
      marketTitle: markets.free.title,
      marketSlug: markets.free.slug,
      outcome: markets.free.outcomes[0].name,
      tickSize: markets.free.tickSize,
      isLive: true,
      value: 0n,
    });
  });

  it("says in total what canceling sets free, to the last fraction", async () => {
    const { totals } = await board();
    const { reservedUsdc } = await getSummary(user.principal);
    expect(totals).toEqual({ count: 2, buys: reservedUsdc, sells: 0n });
    const inFree = await board({ market: markets.free.id });
    const inTaxed = await board({ market: markets.taxed.id });
    expect(inFree.totals.buys + inTaxed.totals.buys).toBe(totals.buys);
  });

  it("filters by market, side and text, and still offers every market with open orders", async () => {
    const one = await board({ market: markets.free.id });
    expect(namesOf(one.orders)).toEqual(["open"]);
    expect(one.markets).toHaveLength(2);
    expect((await board({ action: "SELL" })).orders).toEqual([]);
    const text = markets.taxed.title.slice(3, 30).toUpperCase();
    expect(namesOf((await board({ text })).orders)).toContain("openNo");
    expect((await board({ text: "no such words anywhere" })).orders).toEqual([]);
  });

  it("shows nobody another's", async () => {
    const { orders, markets: offered } = await readOpenOrderBoard(other.principal, {});
    expect([orders, offered]).toEqual([[], []]);
  });
});

describe("closed orders", () => {
  const closed = async (filter: Parameters<typeof listClosedOrders>[1] = {}) =>
    namesOf((await listClosedOrders(user.principal, filter)).orders);

  it("come last closed first", async () => {
    expect(await closed()).toEqual(["canceled", "rejected", "filled"]);
  });

  it("are filtered by status, side, market and by when they closed", async () => {
    expect(await closed({ status: "filled" })).toEqual(["filled"]);
    expect(await closed({ action: "SELL" })).toEqual(["rejected"]);
    expect(await closed({ market: markets.free.id })).toEqual(["canceled"]);
    const { updatedAt } = await readOrder(user.apiKey, idOf("rejected"));
    expect(await closed({ from: updatedAt })).toEqual(["canceled", "rejected"]);
    expect(await closed({ before: updatedAt })).toEqual(["filled"]);
  });

  it("go on from page to page, each order once", async () => {
    const seen: (string | undefined)[] = [];
    let nextCursor: string | undefined;
    do {
      const page = await listClosedOrders(user.principal, {}, { limit: 1, nextCursor });
      seen.push(...namesOf(page.orders));
      nextCursor = page.nextCursor ?? undefined;
    } while (nextCursor !== undefined);
    expect(seen).toEqual(["canceled", "rejected", "filled"]);
  });

  it("refuse a cursor of another list", async () => {
    const answer = await callApi("GET", "/v1/orders?limit=1", { key: user.apiKey });
    const { nextCursor } = answer.body.data as unknown as { nextCursor: string };
    await expect(listClosedOrders(user.principal, {}, { nextCursor })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  it("offer the markets they are in, and show nobody another's", async () => {
    expect(await listClosedMarkets(user.principal)).toHaveLength(3);
    expect(await listClosedMarkets(other.principal)).toEqual([]);
    expect((await listClosedOrders(other.principal, {})).orders).toEqual([]);
  });

  it("leave as rows with one cell for each column, times in UTC and raw decimals", async () => {
    const rows = [];
    for await (const page of exportClosedOrders(user.principal, { status: "filled" })) {
      rows.push(...page);
    }
    const [row] = rows;
    expect(rows).toHaveLength(1);
    const record = await readOrder(user.apiKey, idOf("filled"));
    expect(row).toHaveLength(EXPORT_COLUMNS.length);
    const cell = (name: (typeof EXPORT_COLUMNS)[number]) => row?.[EXPORT_COLUMNS.indexOf(name)];
    expect(cell("order_id")).toBe(record.id);
    expect(cell("closed_at")).toBe(record.updatedAt.toISOString());
    expect(cell("filled_shares")).toBe(20);
    expect(cell("limit_price")).toBe(null);
  });
});

describe("one order with its market's words", () => {
  it("is found by its owner alone", async () => {
    const line = await getOrderLine(user.principal, idOf("filled"));
    expect(z.encode(OrderLine, line)).toMatchObject({ id: idOf("filled"), filledShares: 20 });
    for (const id of [idOf("filled"), "ord_nope", "\0"]) {
      await expect(getOrderLine(other.principal, id)).rejects.toMatchObject({
        code: "ORDER_NOT_FOUND",
      });
    }
  });
});

describe("canceling chosen orders", () => {
  it("cancels those, tells which had ended, and leaves the others open", async () => {
    const kept = await place(other.apiKey, orderFor(markets.free));
    const first = await place(other.apiKey, orderFor(markets.free));
    const second = await place(other.apiKey, orderFor(markets.taxed));
    const filled = await place(other.apiKey, orderFor(markets.taxed, { orderType: "market" }));
    const outcomes = await cancelChosenOrders(other.principal, [
      first.orderId,
      second.orderId,
      filled.orderId,
      idOf("open"),
      "not an id",
    ]);
    expect(outcomes.canceled.toSorted()).toEqual([first.orderId, second.orderId].toSorted());
    expect(outcomes.notCanceled).toEqual([{ id: filled.orderId, status: "filled" }]);
    const { orders } = await readOpenOrderBoard(other.principal, {});
    expect(orders.map(({ id }) => id)).toEqual([kept.orderId]);
    expect((await readOrder(user.apiKey, idOf("open"))).status).toBe("open");
  });

  it("finds nothing among ids of others and of nobody, and changes nothing", async () => {
    await expectUnchanged(async () => {
      for (const ids of [[], [idOf("open")], ["\0", "ord_nope"]]) {
        await expect(cancelChosenOrders(other.principal, ids)).rejects.toMatchObject({
          code: "ORDER_NOT_FOUND",
        });
      }
    });
  });
});
