import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { OrderHeadline } from "@/components/orders/order-headline";
import { buildDetails, buildTotals } from "@/components/trading/ticket/estimate-rows";
import { createSubmitLabel } from "@/components/trading/ticket/wording";
import type { TicketOrder } from "@/lib/domain/ticket/context";
import type { Estimate } from "@/lib/domain/ticket/estimate";
import { project } from "@/lib/domain/ticket/projection";
import { NO_SHARES, price, type Shares, shares, type Usdc, usdc } from "@/lib/units";

const RULES = {
  tick: price(10_000n),
  minOrderShares: shares(5_000_000n),
  minBuyAmount: usdc(1_000_000n),
  feeRate: 40_000n,
  holdsFeeForRest: false,
  minLifeMs: 0,
  takesFokOfShares: true,
};

interface Trade {
  action: "BUY" | "SELL";
  type: "market" | "limit";
  size: Shares;
  at: bigint;
  /** Null for an order that rests on the book. */
  fill: { amount: Usdc; fee: Usdc } | null;
  available: bigint;
}

/** Returns an order with its result on the book. */
function estimateTrade({ action, type, size, at, fill, available }: Trade) {
  const order: TicketOrder = {
    action,
    type,
    budget: { kind: "shares", shares: size },
    limit: price(at),
    options: { timeInForce: type === "limit" ? "GTC" : "FAK", expiresAt: null, postOnly: false },
  };
  const estimate: Estimate = {
    filled: fill ? size : NO_SHARES,
    amount: fill?.amount ?? usdc(0n),
    fee: fill?.fee ?? usdc(0n),
    builderFee: null,
    average: fill ? price(at) : null,
    best: fill ? price(at) : null,
    impact: price(0n),
    isComplete: true,
    left: { kind: "shares", shares: NO_SHARES },
  };
  const funds = {
    available: usdc(available),
    approved: null,
    free: size,
    reserved: NO_SHARES,
    averageEntry: price(400_000n),
  };
  const context = { rules: RULES, funds };
  const projection = project(order, estimate, context);
  const result = { order, estimate, projection };
  const totals = buildTotals(result);
  const details = new Map(buildDetails(result, context).map(({ label, value }) => [label, value]));
  const { total } = createSubmitLabel(action, { order, projection, outcome: "Yes" });
  return { totals, details, total };
}

const line = (action: "BUY" | "SELL", filledShares: number, value: number, fee: number) =>
  ({
    action,
    outcome: "Yes",
    filledShares,
    shares: filledShares,
    status: "filled",
    value,
    fee,
    avgFillPrice: 0.88,
    tickSize: "0.01",
  }) as Parameters<typeof OrderHeadline>[0]["line"];

const readHeadline = (of: ReturnType<typeof line>) =>
  renderToStaticMarkup(createElement(OrderHeadline, { line: of }))
    .replace(/<span class="masked-dots".*?<\/span>/g, "")
    .replace(/<[^>]+>/g, "");

describe("a trade's total", () => {
  it("is the same on the ticket, its button and the order: a buy", () => {
    const { totals, details, total } = estimateTrade({
      action: "BUY",
      type: "market",
      size: shares(28_400_000n),
      at: 880_000n,
      fill: { amount: usdc(24_992_000n), fee: usdc(119_960n) },
      available: 10_000_000_000n,
    });
    expect(totals[0]).toEqual({ label: "You pay", value: "$25.11", note: "incl. $0.12 fee" });
    expect(total).toBe("$25.11");
    expect(details.get("Fee")).toBe("$0.12");
    expect(details.get("Cash")).toBe("$10,000.00 → $9,974.89");
    expect(readHeadline(line("BUY", 28.4, 24.992, 0.11996))).toContain("for $25.11");
  });

  it("is the same on the ticket, its button and the order: a sell", () => {
    const { totals, total } = estimateTrade({
      action: "SELL",
      type: "market",
      size: shares(650_000_000n),
      at: 480_000n,
      fill: { amount: usdc(312_000_000n), fee: usdc(8_112_400n) },
      available: 0n,
    });
    expect(totals[0]).toMatchObject({ label: "You receive", value: "$303.89" });
    expect(total).toBe("$303.89");
    expect(readHeadline(line("SELL", 650, 312, 8.1124))).toContain("for $303.89");
    // The average entry excludes fees.
    expect(totals[1]?.note).toContain("vs your average, before buying fees");
  });
});

describe("an order that spends everything", () => {
  it("shows a cost that is not above the available cash", () => {
    const { totals, details, total } = estimateTrade({
      action: "BUY",
      type: "limit",
      size: shares(32_222_920_000n),
      at: 300_000n,
      fill: null,
      available: 9_666_878_000n,
    });
    expect(totals[0]).toMatchObject({ label: "You pay", value: "$9,666.88" });
    expect(total).toBe("$9,666.88");
    expect(details.get("Maximum cost")).toBe("$9,666.88");
    expect(details.get("Cash")).toBe("$9,666.88 → $0.00");
  });
});
