import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { z } from "zod";
import { KeyOrders } from "@/components/keys/key-orders";
import { OrderHistory } from "@/components/orders/order-history";
import type { OrderHistoryPage } from "@/lib/schemas/dashboard-orders";

const AT = "2026-11-21T12:00:00.000Z";
/** It brought 11.19478, which the statement shows as $11.19 after a fee of $0.39. */
const SALE = {
  id: "ord_1",
  status: "filled",
  action: "SELL",
  type: "market",
  timeInForce: "FAK",
  expiresAt: null,
  postOnly: false,
  origin: "ante",
  shares: 68.1,
  amount: null,
  price: null,
  filledShares: 68.1,
  avgFillPrice: 0.17,
  isLive: false,
  openValue: 0,
  value: 11.577,
  fee: 0.38222,
  marketTitle: "Will it rain?",
  outcome: "Yes",
  iconUrl: "/icon",
  tickSize: "0.01",
  createdAt: AT,
  updatedAt: AT,
  rejection: null,
  replacedBy: null,
} as unknown as z.input<typeof OrderHistoryPage>["orders"][number];

it.each([OrderHistory, KeyOrders])("%o shows the value of the statement's line", (list) => {
  const markup = renderToStaticMarkup(createElement(list, { orders: [SALE] }));
  // In the table and on its card.
  expect(markup.split("$11.58")).toHaveLength(3);
  expect(markup).not.toContain("$11.57");
});

it("the history shows the limit of an order without fills on its card, too, and no value", () => {
  const canceled = {
    ...SALE,
    status: "canceled",
    type: "limit",
    timeInForce: "GTC",
    price: 0.42,
    filledShares: 0,
    avgFillPrice: null,
    value: 0,
    fee: 0,
  } as const;
  const markup = renderToStaticMarkup(createElement(OrderHistory, { orders: [canceled] }));
  expect(markup.split("42¢")).toHaveLength(3);
  expect(markup).not.toContain("$0.00");
});

it("the list of a key shows the whole value of an open order, and none of one that ended without a fill", () => {
  const open = {
    ...SALE,
    status: "open",
    isLive: true,
    openValue: 60,
    value: 0,
    filledShares: 0,
  } as const;
  const markup = renderToStaticMarkup(
    createElement(KeyOrders, { orders: [open, { ...open, isLive: false }] }),
  );
  // In the table and on its card. The other one has ended without a fill.
  expect(markup.split("$60.00")).toHaveLength(3);
  expect(markup).not.toContain("$0.00");
});
