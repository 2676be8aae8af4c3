import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { OwnMarks } from "@/components/charts/own-marks";
import { OpenOrderCards } from "@/components/orders/open-order-cards";
import { describeOpenOrder, type OpenOrderRows } from "@/components/orders/open-order-row";
import { OpenOrderTable } from "@/components/orders/open-order-table";
import { toOwnOrders } from "@/components/trading/order-book/book-lines";
import { OwnMarketProvider } from "@/components/trading/order-book/own-market";
import { OwnActivity } from "@/components/trading/position/own-activity";
import type { OpenOrderWire } from "@/lib/browser/use-open-orders";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";

const RESTING = {
  id: "ord_1",
  marketId: "m",
  marketTitle: "Will it rain?",
  marketSlug: "rain",
  iconUrl: "/icon.svg",
  status: "open",
  action: "BUY",
  type: "limit",
  price: 0.64,
  shares: 40,
  amount: null,
  timeInForce: "GTC",
  expiresAt: null,
  postOnly: false,
  filledShares: 0,
  origin: "ante",
  idempotencyKey: "key",
  createdAt: "2026-11-29T12:00:00.000Z",
  outcome: "Yes",
  tickSize: "0.01",
  openValue: 25.6,
  isLive: true,
  marketPrice: 0.69,
} as const satisfies OpenOrderWire;

const WAITING_LIMIT = { ...RESTING, status: "pending_approval" } as const;
/** A market buy of 20 dollars that fills at 74¢ at worst. */
const WAITING_MARKET = {
  ...WAITING_LIMIT,
  type: "market",
  timeInForce: "FAK",
  price: 0.74,
  shares: null,
  amount: 20,
  openValue: 20,
} as const satisfies OpenOrderWire;

const readText = (markup: string) =>
  markup
    .replaceAll(/<title>.*?<\/title>/g, "")
    .replaceAll(/<[^>]+>|•{4}/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Renders the list of an order, as a table or as cards. */
function renderList(List: FunctionComponent<OpenOrderRows>, order: OpenOrderWire): string {
  return renderToStaticMarkup(
    createElement(List, {
      orders: [order],
      groups: null,
      askToCancel: () => {},
      canceling: { ids: new Set<string>(), problems: new Map() },
      chosen: new Set<string>(),
      choose: () => {},
      editing: {
        id: null,
        hasLeft: false,
        action: () => Promise.reject(new Error("nothing is edited")),
        start: () => {},
        leave: () => {},
        finish: () => {},
      },
      showDetails: () => {},
    }),
  );
}

describe("the list of open orders", () => {
  it("shows the limit of an order in the book, and its distance with a bar", () => {
    const table = renderList(OpenOrderTable, RESTING);
    expect(readText(table)).toMatch(/Buy Yes 64¢ 69¢ 5¢ 0 \/ 40 \$25\.60/);
    expect(table).toContain('width="48"');
    expect(readText(renderList(OpenOrderCards, RESTING))).toMatch(
      /40 @ 64¢ · \$25\.60.*Best offer 69¢ 5¢ away/,
    );
  });

  it("shows a market order that waits for approval by its amount and worst price", () => {
    const table = renderList(OpenOrderTable, WAITING_MARKET);
    expect(readText(table)).toMatch(
      /Waits for approval Buy Yes Market at 74¢ or better 69¢ — 0 shares · of \$20\.00 \$20\.00/,
    );
    expect(table).not.toContain('width="48"');
    const cards = readText(renderList(OpenOrderCards, WAITING_MARKET));
    expect(cards).toMatch(/Buy Yes · Market · \$20\.00 at 74¢ or better Waits for approval/);
    expect(cards).not.toContain("away");
    expect(describeOpenOrder(WAITING_MARKET)).toBe("Buy Yes at 74¢ or better, Will it rain?");
  });

  it("shows a market order for shares by its shares", () => {
    const order = { ...WAITING_MARKET, shares: 40, amount: null };
    expect(readText(renderList(OpenOrderTable, order))).toContain("at 74¢ or better 69¢ — 0 / 40");
    expect(readText(renderList(OpenOrderCards, order))).toContain(
      "Market · 40 at 74¢ or better Waits",
    );
  });

  it("shows no distance of a limit order that waits for approval", () => {
    const table = renderList(OpenOrderTable, WAITING_LIMIT);
    expect(readText(table)).toMatch(/Buy Yes 64¢ 69¢ — 0 \/ 40/);
    expect(table).not.toContain('width="48"');
    const cards = readText(renderList(OpenOrderCards, WAITING_LIMIT));
    expect(cards).toContain("40 @ 64¢ · $25.60");
    expect(cards).not.toContain("away");
  });
});

const OUTCOMES = [
  { name: "Yes", tokenId: "1" },
  { name: "No", tokenId: "2" },
];

/** Adds what the market's page knows about an order. */
const toLine = (order: OpenOrderWire): OwnMarketWire["orders"][number] => ({
  ...order,
  side: "YES",
  reserved: order.openValue ?? 0,
  avgFillPrice: null,
  fee: 0,
  value: 0,
  updatedAt: order.createdAt,
});

/** Renders a part of the market's page that shows the account's orders. */
function renderPart(part: ReturnType<typeof createElement>, order: OpenOrderWire): string {
  const orders = [toLine(order)];
  return readText(
    renderToStaticMarkup(
      createElement(OwnMarketProvider, {
        marketId: "m",
        initial: { data: { positions: [], orders, fills: [] }, at: 0, isMarked: false },
        children: part,
      }),
    ),
  );
}

describe("the market's page", () => {
  const marks = createElement(OwnMarks, {
    frame: { from: 0, to: 1, low: 0, high: 1 },
    curve: [],
    outcomes: OUTCOMES,
    tokenId: "1",
    tickSize: "0.01",
  });

  it("draws an order in the book on the chart, but none that waits for approval", () => {
    expect(renderPart(marks, RESTING)).toContain("Buy 40 @ 64¢");
    expect(renderPart(marks, WAITING_LIMIT)).toBe("");
    expect(renderPart(marks, WAITING_MARKET)).toBe("");
  });

  it("marks an order in the book there, but none that waits for approval", () => {
    expect(toOwnOrders([toLine(RESTING)], OUTCOMES)).toMatchObject([{ price: 0.64, shares: 40 }]);
    expect(toOwnOrders([WAITING_LIMIT, WAITING_MARKET].map(toLine), OUTCOMES)).toEqual([]);
  });

  it("lists an order that waits for approval as one", () => {
    const list = createElement(OwnActivity, {
      tickSize: "0.01",
      outcomes: OUTCOMES,
      isClosed: false,
      cancelAction: () => Promise.reject(new Error("nothing is canceled")),
    });
    expect(renderPart(list, WAITING_MARKET)).toMatch(
      /Buy Yes Waits for approval .* Market at 74¢ or better 0 shares · of \$20\.00/,
    );
    expect(renderPart(list, RESTING)).not.toContain("Waits for approval");
  });
});
