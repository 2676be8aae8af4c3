import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyBuy, applySell, EMPTY_HOLDING, type Holding, valuate } from "@/lib/domain/position";
import { averagePrice, notional, ONE, price, type Shares, shares, type Usdc } from "@/lib/units";
import { anyShares } from "@/tests/support/domain/arbitraries";

const RUNS = { numRuns: 500 };
const anyPrice = fc.bigInt({ min: 1n, max: ONE - 1n }).map(price);

/** A purchase, or a sale of some thousandths of the holding. */
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

/** Runs deals and yields each. Sizes and prices are off any grid, so that rounding matters. */
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
  it("accounts for every micro: proceeds minus cost equal realized profit minus remaining cost", () => {
    checkDeals(({ after }, paid, received) => {
      expect(received - paid).toBe(after.realizedPnl - after.cost);
    });
  });

  it("never has negative shares or cost, and has no cost when it is empty", () => {
    checkDeals(({ after }) => {
      expect(after.shares >= 0n && after.cost >= 0n).toBe(true);
      if (after.shares === 0n) expect(after.cost).toBe(0n);
    });
  });

  it("keeps the average cost of the remaining shares through a sale, within one micro", () => {
    checkDeals(({ before, after, kind }) => {
      if (kind === "buy") return;
      const excess = after.cost * before.shares - before.cost * after.shares;
      expect(excess >= 0n && excess < before.shares).toBe(true);
    });
  });

  it("realizes no profit on a sale at or below average cost, and no loss at or above", () => {
    checkDeals(({ before, after, size, cash, kind }) => {
      if (kind === "buy") return;
      const realized = after.realizedPnl - before.realizedPnl;
      const gain = cash * before.shares - before.cost * size;
      if (gain <= 0n) expect(realized <= 0n).toBe(true);
      if (gain >= 0n) expect(realized >= 0n).toBe(true);
    });
  });

  it("has a value of cost plus profit, never above shares times price", () => {
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
