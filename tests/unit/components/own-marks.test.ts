import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { FillLegend } from "@/components/charts/own-marks";
import { OwnMarketProvider } from "@/components/trading/order-book/own-market";

const OUTCOMES = [
  { name: "Yes", tokenId: "1" },
  { name: "No", tokenId: "2" },
];

const makeFill = (tokenId: string, action: "BUY" | "SELL", createdAt: string) => ({
  id: `${tokenId}-${action}`,
  tradeId: "trd_1",
  orderId: "ord_1",
  marketId: "m",
  tokenId,
  action,
  role: "taker" as const,
  price: 0.4,
  shares: 20,
  amount: 8,
  fee: 0,
  createdAt,
});

const FILLS = [
  makeFill("1", "BUY", "2026-10-22T11:33:00.000Z"),
  makeFill("2", "SELL", "2026-11-28T09:00:00.000Z"),
];

/** Renders the legend of a chart from a time on, as text. */
const read = (from: string) =>
  renderToStaticMarkup(
    createElement(OwnMarketProvider, {
      marketId: "m",
      initial: { data: { positions: [], orders: [], fills: FILLS }, at: 0, isMarked: false },
      children: createElement(FillLegend, {
        outcomes: OUTCOMES,
        period: { from: Date.parse(from), to: Date.parse("2026-11-28T13:00:00.000Z") },
      }),
    }),
  ).replaceAll(/<[^>]+>/g, " ");

describe("the legend of the dots on a chart", () => {
  it("names the fills of the chart's period only", () => {
    expect(read("2026-10-01T00:00:00.000Z")).toMatch(/^\s*Bought Yes\s+Sold No\s*$/);
    expect(read("2026-11-27T13:00:00.000Z")).toMatch(/^\s*Sold No\s*$/);
  });

  it("is absent without a fill in the period", () => {
    expect(read("2026-11-28T12:00:00.000Z")).toBe("");
  });
});
