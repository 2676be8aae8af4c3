import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { HeldCash } from "@/components/orders/held-cash";
import type { AccountSummaryWire } from "@/lib/browser/use-summary";

/** The wallet shows $7,021.62, $6,841.93 of it available, and so $179.69 reserved. */
const FIGURES = {
  balanceUsdc: 7_021.62447,
  availableUsdc: 6_841.92647,
  reservedUsdc: 179.698,
} as AccountSummaryWire;

const show = (usdc: number, data: AccountSummaryWire | null) =>
  renderToStaticMarkup(
    createElement(HeldCash, { usdc, summary: data && { data, at: Date.parse("2026-11-26") } }),
  );

it("the cash of all open buys has the cents of the wallet", () => {
  expect(show(179.698, FIGURES)).toContain("$179.69");
});

it("the cash of some open buys, or of all while the account is unknown, is rounded by itself", () => {
  expect(show(59.848, FIGURES)).toContain("$59.85");
  expect(show(179.698, null)).toContain("$179.70");
});
