import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { FilledOfOrdered, OrderOptions, OrderValue } from "@/components/orders/order-words";
import { showCashLine, showTradeValue } from "@/components/format/sums";
import type { TimeInForce } from "@/lib/domain/time-in-force";

/** Renders the options of a market order as text. */
function readOptions(timeInForce: TimeInForce): string {
  const order = { type: "market", timeInForce, expiresAt: null, postOnly: false } as const;
  return renderToStaticMarkup(createElement(OrderOptions, { order })).replace(/<[^>]+>/g, "");
}

describe("the value of an order", () => {
  /** Renders the value of an order as text. */
  const readValue = (order: { action: "BUY" | "SELL"; value: number; fee: number }) =>
    renderToStaticMarkup(createElement(OrderValue, { order })).replace(/<[^>]+>/g, "");

  it("is the shown amount and the shown fee, as in the statement", () => {
    // Received 11.19478, shown as $11.19, after a fee of 0.38222, shown as $0.39.
    const sale = { action: "SELL", value: 11.577, fee: 0.38222 } as const;
    expect(readValue(sale)).toContain("$11.58");
    const line = showCashLine({ amountUsdc: 11.19478, feeUsdc: 0.38222, balanceUsdc: 100 });
    expect(showTradeValue(sale)).toBe(line.beforeFees);
    // Paid 10.388, shown as $10.39, with a fee of 0.391, shown as $0.40.
    expect(readValue({ action: "BUY", value: 9.997, fee: 0.391 })).toContain("$9.99");
  });

  it("is rounded like a payment or an income without a fee", () => {
    expect(readValue({ action: "BUY", value: 9.991, fee: 0 })).toContain("$10.00");
    expect(readValue({ action: "SELL", value: 9.999, fee: 0 })).toContain("$9.99");
    expect(readValue({ action: "BUY", value: 0, fee: 0 })).toContain("$0.00");
  });
});

describe("the options of a market order", () => {
  it("name fill or kill as the ticket does", () => {
    expect(readOptions("FOK")).toBe("All or nothing");
  });

  it("are empty for its default time in force", () => {
    expect(readOptions("FAK")).toBe("");
  });
});

describe("the size of an order", () => {
  /** Renders a size as text, without the dots of hidden figures. */
  const readSize = (order: {
    filledShares: number;
    shares: number | null;
    amount: number | null;
  }) => renderToStaticMarkup(createElement(FilledOfOrdered, { order })).replace(/<[^>]+>|•+/g, "");

  it("is what was filled of the ordered shares or dollars", () => {
    expect(readSize({ filledShares: 0, shares: 111, amount: null })).toBe("0 / 111");
    expect(readSize({ filledShares: 131.57, shares: null, amount: 75 })).toBe("131.57 / $75.00");
  });
});
