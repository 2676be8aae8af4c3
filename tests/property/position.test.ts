import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyBuy, applySell, EMPTY_HOLDING, type Holding, valuate } from "@/lib/domain/position";
import { averagePrice, notional, ONE, price, type Shares, shares, type Usdc } from "@/lib/units";
import { anyShares } from "@/tests/support/arbitraries";

const RUNS = { numRuns: 500 };
const anyPrice = fc.bigInt({ min: 1n, max: ONE - 1n }).map(price);

/** A purchase, or the sale of so many thousandths of what is held. */
const anyDeal = fc.oneof(
  fc.record({ kind: fc.constant("buy" as const), size: anyShares(10n ** 9n), at: anyPrice }),
  fc.record({
    kind: fc.constant("sell" as const),
    part: fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.constant(1_000n)),
    at: anyPrice,
  }),
);

interface Dealt {
  before: Holding;
  after: Holding;
  size: Shares;
  cash: Usdc;
  kind: "buy" | "sell";
}

/** Runs deals and shows each; sizes and prices are off any grid, so that rounding matters. */
function checkDeals(check: (dealt: Dealt, paid: bigint, received: bigint) => void): void {
  const anyDeals = fc.array(anyDeal, { minLength: 1, maxLength: 30, size: "max" });
  fc.assert(
    fc.property(anyDeals, (deals) => {
      let holding = EMPTY_HOLDING;
      let [paid, received] = [0n, 0n];
      for (const deal of deals) {
        const before = holding;
        const size = deal.kind === "buy" ? deal.size : shares((before.shares * deal.part) / 1_000n);
        if (size === 0n) continue;
        const cash = notional(size, deal.at, deal.kind === "buy" ? "up" : "down");
        holding =
          deal.kind === "buy" ? applyBuy(before, size, cash) : applySell(before, size, cash);
        if (deal.kind === "buy") paid += cash;
        else received += cash;
        check({ before, after: holding, size, cash, kind: deal.kind }, paid, received);
      }
    }),
    RUNS,
  );
}

describe("a holding over any sequence of purchases and sales", () => {
  it("accounts for every micro: cash out less cash in is realized profit less remaining cost", () => {
    checkDeals(({ after }, paid, received) => {
      expect(received - paid).toBe(after.realizedPnl - after.cost);
    });
  });

  it("never has negative shares or a negative cost, and costs nothing once it is empty", () => {
    checkDeals(({ after }) => {
      expect(after.shares >= 0n && after.cost >= 0n).toBe(true);
      if (after.shares === 0n) expect(after.cost).toBe(0n);
    });
  });

  it("keeps the average cost of what remains through a sale, to within a micro of cost", () => {
    checkDeals(({ before, after, kind }) => {
      if (kind === "buy") return;
      const excess = after.cost * before.shares - before.cost * after.shares;
      expect(excess >= 0n && excess < before.shares).toBe(true);
    });
  });

  it("shows no profit on a sale at or below average cost, and no loss on one at or above", () => {
    checkDeals(({ before, after, size, cash, kind }) => {
      if (kind === "buy") return;
      const realized = after.realizedPnl - before.realizedPnl;
      const gain = cash * before.shares - before.cost * size;
      if (gain <= 0n) expect(realized <= 0n).toBe(true);
      if (gain >= 0n) expect(realized >= 0n).toBe(true);
    });
  });

  it("is valued so that value is cost and profit, never above shares at the price", () => {
    checkDeals(({ after, cash }) => {
      if (after.shares === 0n) return;
      const at = price(cash % ONE);
      const worth = valuate(after, at);
      expect(worth.value - worth.pnl).toBe(after.cost);
      expect(worth.value * ONE <= after.shares * at).toBe(true);
      expect(worth.averagePrice).toBe(averagePrice(after.cost, after.shares));
    });
  });
});
