import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { OrderFields } from "@/components/orders/order-fields";
import type { OrderLine } from "@/lib/schemas/dashboard-orders";
import type { OrderRecord } from "@/lib/schemas/orders";

type Fields = { record: z.input<typeof OrderRecord>; line: z.input<typeof OrderLine> };

const AT = "2026-11-21T12:00:00.000Z";

/** Renders the fields of a market order without a price as text. */
function readText(action: "BUY" | "SELL", detail: Record<string, string>): string {
  const record = {
    id: "ord_1",
    type: "market",
    action,
    price: null,
    timeInForce: "FAK",
    expiresAt: null,
    postOnly: false,
    shares: 10,
    amount: null,
    filledShares: 10,
    remainingShares: 0,
    avgFillPrice: 0.45,
    fee: 0,
    createdAt: AT,
    updatedAt: AT,
    idempotencyKey: "key",
    tokenId: "1",
    marketId: "0x1",
    events: [{ type: "received", keyId: null, createdAt: AT, detail }],
  } as unknown as Fields["record"];
  const line = { tickSize: "0.01", value: 4.5, fee: 0, reserved: 0 } as unknown as Fields["line"];
  return renderToStaticMarkup(createElement(OrderFields, { record, line })).replace(/<[^>]+>/g, "");
}

describe("the worst price of a market order without a price", () => {
  it("shows the default limit and its rule", () => {
    expect(readText("BUY", { worstPrice: "0.5" })).toContain("50¢ (default: best price + 5¢)");
    expect(readText("SELL", { worstPrice: "0.4" })).toContain("40¢ (default: best price − 5¢)");
  });

  it("shows only the rule for an order that was rejected before it had a limit", () => {
    expect(readText("BUY", {})).toContain("Default: best price + 5¢");
  });
});
