import { describe, expect, it } from "vitest";
import type { Book } from "@/lib/domain/matching";
import {
  computeHold,
  computeWorstHold,
  isRefusal,
  type Sizing,
  computeTerms,
} from "@/lib/domain/order-terms";
import { price, shares, usdc } from "@/lib/units";

const FREE = 0n;
const TAXED = 70_000n;
const HALF = price(500_000n);

const sizing = (fields: Partial<Sizing> = {}): Sizing => ({
  type: "limit",
  action: "BUY",
  outcome: 0,
  price: HALF,
  budget: { kind: "shares", shares: shares(2_000_000n) },
  ownerId: "usr_1",
  isFillOrKill: false,
  isPostOnly: false,
  ...fields,
});

describe("the hold of an order", () => {
  const reserve = (
    order: Partial<Sizing>,
    taken: { shares?: bigint; amount?: bigint },
    at = HALF,
  ) =>
    computeHold(
      { ...sizing(order), limit: at },
      { shares: shares(taken.shares ?? 0n), amount: usdc(taken.amount ?? 0n), lowest: HALF },
      TAXED,
    );

  it("of a buy that rests is its cost at the limit, rounded up, without a fee", () => {
    expect(reserve({}, {})).toBe(1_000_000n);
    expect(reserve({ budget: { kind: "shares", shares: shares(1_000_001n) } }, {})).toBe(500_001n);
  });

  it("of a buy that fills immediately is its cost and the maximum fee of the filled part", () => {
    expect(reserve({}, { shares: 2_000_000n })).toBe(1_000_000n + 35_000n);
    expect(reserve({}, { shares: 1_000_000n })).toBe(1_000_000n + 17_500n);
    // Filled at one half it would pay more than at its limit.
    expect(reserve({}, { shares: 2_000_000n }, price(900_000n))).toBe(1_800_000n + 35_000n);
  });

  it("of a buy by amount is the amount and the maximum fee of its filled part", () => {
    const budget = { kind: "amount", amount: usdc(1_000_000n) } as const;
    expect(reserve({ budget }, {})).toBe(1_000_000n);
    expect(reserve({ budget }, { amount: 1_000_000n })).toBe(1_000_000n + 35_000n);
    expect(reserve({ budget }, { amount: 400_000n })).toBe(1_000_000n + 14_000n);
  });

  it("of a sell is its shares", () => {
    expect(reserve({ action: "SELL" }, { shares: 2_000_000n })).toBe(2_000_000n);
  });

  it("of an order that may take later includes the maximum fee of the whole order", () => {
    const order = { ...sizing(), limit: HALF };
    expect(computeWorstHold(order, HALF, TAXED)).toBe(1_000_000n + 35_000n);
    const budget = { kind: "amount", amount: usdc(1_000_000n) } as const;
    expect(computeWorstHold({ ...order, budget }, price(100_000n), TAXED)).toBe(1_063_000n);
  });

  it("of a limit order through the book includes the fee of the offered shares only", () => {
    const book: Book = {
      orders: [],
      house: [{ side: "ask", price: HALF, size: shares(500_000n) }],
    };
    const rules = { tick: price(10_000n), minBuyAmount: usdc(0n), feeRate: TAXED };
    const terms = computeTerms(sizing(), rules, book);
    expect(isRefusal(terms) ? terms : terms.hold).toBe(1_000_000n + 8_750n);
  });
});

describe("a buy that fills immediately", () => {
  const book: Book = {
    orders: [],
    house: [{ side: "ask", price: HALF, size: shares(100_000_000n) }],
  };
  const rules = { tick: price(10_000n), minBuyAmount: usdc(1_000_000n), feeRate: FREE };
  const createBuy = (size: bigint) => {
    const budget = { kind: "shares", shares: shares(size) } as const;
    return computeTerms(sizing({ budget }), rules, book);
  };

  it("is accepted at exactly the minimum", () => {
    const terms = createBuy(2_000_000n);
    expect(isRefusal(terms) ? terms : terms.result.isComplete).toBe(true);
  });

  it("is refused one lot below the minimum", () => {
    expect(createBuy(1_990_000n)).toMatchObject({ code: "ORDER_TOO_SMALL" });
  });

  it("is accepted at any size if it rests", () => {
    const rests = sizing({
      price: price(10_000n),
      budget: { kind: "shares", shares: shares(1_990_000n) },
    });
    expect(isRefusal(computeTerms(rests, rules, book))).toBe(false);
  });
});
