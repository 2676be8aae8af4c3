import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { OrderFields } from "@/components/orders/order-fields";
import { RejectionNote } from "@/components/orders/rejection";
import type { OrderLineAtMarket } from "@/lib/schemas/dashboard-orders";
import type { OrderRecord } from "@/lib/schemas/orders";

type Fields = { record: z.input<typeof OrderRecord>; line: z.input<typeof OrderLineAtMarket> };

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
  const line = {
    tickSize: "0.01",
    value: 4.5,
    fee: 0,
    reserved: 0,
    marketPrice: null,
  } as unknown as Fields["line"];
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

/** Renders the fields of a limit sell at 92¢, while the best bid is 84¢. */
function readSell(
  more: object,
  isExact = false,
  amounts = { value: 9.20004, fee: 0.03545 },
): string {
  const record = {
    id: "ord_1",
    type: "limit",
    action: "SELL",
    price: 0.92,
    timeInForce: "GTC",
    expiresAt: null,
    shares: 20,
    amount: null,
    filledShares: 0,
    remainingShares: 20,
    avgFillPrice: null,
    createdAt: AT,
    updatedAt: AT,
    idempotencyKey: "key",
    tokenId: "1",
    marketId: "0x1",
    events: [],
    ...more,
  } as unknown as Fields["record"];
  const line = {
    status: "open",
    price: 0.92,
    tickSize: "0.01",
    isLive: true,
    openValue: 18.4,
    ...amounts,
    reserved: 0,
    marketPrice: 0.84,
    ...more,
  } as unknown as Fields["line"];
  return renderToStaticMarkup(createElement(OrderFields, { record, line, isExact }))
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");
}

describe("the fields of an open order", () => {
  it("show its value, its times once and its ids as technical details", () => {
    const text = readSell({});
    expect(text).toContain("Open value$18.40");
    expect(text).not.toContain("Updated");
    expect(text).toMatch(/Placed.*Technical details.*Order id.*Token id.*Market id/);
  });

  it("show the price now and its distance, and leave out the amounts of fills that it has not", () => {
    const text = readSell({});
    expect(text).toContain("Best bid now84¢8¢ away");
    for (const label of ["Average price", "Filled value", "Fee", "Total received"])
      expect(text).not.toContain(label);
  });

  it("show no distance while the order waits for approval", () => {
    const text = readSell({ status: "pending_approval" });
    expect(text).toContain("Best bid now84¢");
    expect(text).not.toContain("away");
  });

  it("show the amounts of its fills in cents, and exactly if asked", () => {
    const part = { filledShares: 10, remainingShares: 10, avgFillPrice: 0.92 };
    expect(readSell(part)).toContain("Filled value$9.20Fee$0.04Total received$9.16");
    expect(readSell(part, true)).toContain("Filled value$9.20004Fee$0.03545Total received$9.16459");
  });

  it("show the amounts of its fills exactly where cents would not add up", () => {
    const part = { filledShares: 10, remainingShares: 10, avgFillPrice: 0.92 };
    // $9.19 less $0.05 is not $9.15.
    expect(readSell(part, false, { value: 9.1949, fee: 0.0451 })).toContain(
      "Filled value$9.1949Fee$0.0451Total received$9.1498",
    );
  });
});

describe("a closed order", () => {
  it("shows when it closed and what it did not fill, an open one what remains", () => {
    const open = readSell({ updatedAt: "2026-11-21T12:00:01.000Z", status: "open" });
    const closed = readSell({ updatedAt: "2026-11-21T12:00:01.000Z", status: "canceled" });
    expect(open).toMatch(/Remaining20.*Updated/);
    expect(closed).toMatch(/Not filled20.*Closed/);
    expect(closed).not.toMatch(/Remaining|Updated/);
  });

  it("says at its top why it was rejected", () => {
    const rejected = {
      type: "rejected",
      detail: { code: "ORDER_REJECTED", message: "No sellers." },
    };
    const read = (status: string) => {
      const record = { status, events: [rejected] } as unknown as Fields["record"];
      return renderToStaticMarkup(createElement(RejectionNote, { record }));
    };
    expect(read("rejected").replace(/<[^>]+>/g, " ")).toMatch(
      /The order was rejected\.\s+No sellers\./,
    );
    // A venue can report a rejection of an order that it has.
    expect(read("open")).toBe("");
  });
});
