import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { OrderHeadline } from "@/components/orders/order-headline";
import { buildDetails, buildTotals } from "@/components/trading/ticket/estimate-rows";
import { createSubmitLabel } from "@/components/trading/wording";
import type { BuilderFees } from "@/lib/domain/fees";
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
  /** The rates of the operator's code, and its part of the fee; absent without a code. */
  builder?: { fees: BuilderFees; fee: Usdc };
}

/** Returns an order with its result on the book. */
function estimateTrade({ action, type, size, at, fill, available, builder }: Trade) {
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
    builderFee: builder?.fee ?? null,
    average: fill ? price(at) : null,
    best: fill ? price(at) : null,
    first: fill ? price(at) : null,
    canceled: [],
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
  const rules = builder ? { ...RULES, builderFees: builder.fees } : RULES;
  const context = { rules, funds };
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

describe("the service fee of the operator's code", () => {
  const trade = {
    action: "BUY",
    size: shares(10_000_000n),
    at: 500_000n,
    fill: { amount: usdc(5_000_000n), fee: usdc(150_000n) },
    available: 100_000_000n,
  } as const;
  const readFee = (type: Trade["type"], takerBps: bigint, makerBps: bigint) => {
    const builder = { fees: { takerBps, makerBps }, fee: usdc(50_000n) };
    return estimateTrade({ ...trade, type, builder }).details.get("Service fee, included");
  };

  it("is a line below the fee that it is part of, with its rate", () => {
    const { details } = estimateTrade({
      ...trade,
      type: "market",
      builder: { fees: { takerBps: 100n, makerBps: 50n }, fee: usdc(50_000n) },
    });
    expect([...details].slice(-4, -2)).toEqual([
      ["Fee", "$0.15"],
      ["Service fee, included", "$0.05 (1%)"],
    ]);
  });

  it("has both rates for an order that can rest, if they differ", () => {
    expect(readFee("limit", 100n, 50n)).toBe("$0.05 (1% now, 0.5% if it fills later)");
    expect(readFee("limit", 100n, 100n)).toBe("$0.05 (1%)");
  });

  it("is no line without a code", () => {
    const { details } = estimateTrade({ ...trade, type: "market" });
    expect(details.get("Fee")).toBe("$0.15");
    expect(details.has("Service fee, included")).toBe(false);
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
