import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { HeldFunds } from "@/components/orders/held-funds";
import type { AccountSummaryWire } from "@/lib/browser/use-summary";

/** The wallet shows $7,021.62, $6,841.93 of it available, and so $179.69 reserved. */
const FIGURES = {
  balanceUsdc: 7_021.62447,
  availableUsdc: 6_841.92647,
  reservedUsdc: 179.698,
} as AccountSummaryWire;

const show = (buys: number, data: AccountSummaryWire | null, sells = 0) =>
  renderToStaticMarkup(
    createElement(HeldFunds, {
      totals: { count: 2, buys, sells },
      summary: data && { data, at: Date.parse("2026-11-26") },
    }),
  )
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");

it("the cash of all open buys has the cents of the wallet", () => {
  expect(show(179.698, FIGURES)).toContain("$179.69");
});

it("the cash of some open buys, or of all while the account is unknown, is rounded by itself", () => {
  expect(show(59.848, FIGURES)).toContain("$59.85");
  expect(show(179.698, null)).toContain("$179.70");
});

it("a side without open orders is left out", () => {
  expect(show(20, null)).toBe("$20.00 in buys");
  expect(show(0, null, 20)).toBe("20 shares in sells");
  expect(show(20, null, 1)).toBe("$20.00 in buys, 1 share in sells");
});
