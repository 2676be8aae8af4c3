import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { ReceiptTitle, ReceiptTotal } from "@/components/orders/receipt-parts";
import type { OrderLine } from "@/lib/schemas/dashboard-orders";

const RESTING = {
  action: "BUY",
  type: "limit",
  status: "open",
  outcome: "Yes",
  shares: 20,
  price: 0.4,
  tickSize: "0.01",
  filledShares: 0,
  value: 0,
  fee: 0,
  reserved: 8,
} as const;

/** Renders the title and the total as text without the dots of hidden values. */
function read(changes: Partial<z.input<typeof OrderLine>>): string[] {
  const line = { ...RESTING, ...changes } as z.input<typeof OrderLine>;
  return [ReceiptTitle, ReceiptTotal].map((part) =>
    renderToStaticMarkup(createElement(part, { line }))
      .replace(/<[^>]+>/g, "")
      .replaceAll("••••", "")
      .trim(),
  );
}

describe("a receipt", () => {
  it("of a limit order that rests says so, and what it reserves", () => {
    expect(read({})).toEqual(["Limit order open: buy 20 Yes at 40¢", "Reserved$8.00"]);
    expect(read({ action: "SELL", reserved: 0 })).toEqual([
      "Limit order open: sell 20 Yes at 40¢",
      "Reserved20 shares",
    ]);
  });

  it("of an order that has filled says what was paid or received", () => {
    const part = { filledShares: 10, value: 4, fee: 0.1, reserved: 4 };
    expect(read(part)).toEqual(["Buy YesOpen, part filled", "Total paid$4.10 (incl. $0.10 fee)"]);
    const sold = { action: "SELL", status: "filled", filledShares: 20, value: 8 } as const;
    expect(read(sold)).toEqual(["Sell YesFilled", "Total received$8.00"]);
    const canceled = { status: "canceled", reserved: 0 } as const;
    expect(read(canceled)).toEqual(["Buy YesCanceled", "Total paid$0.00"]);
  });
});
