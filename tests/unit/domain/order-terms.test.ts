import { describe, expect, it } from "vitest";
import type { Book } from "@/lib/domain/matching";
import { holdOf, isRefusal, type Sizing, termsOf } from "@/lib/domain/order-terms";
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

describe("what an order reserves", () => {
  it("a buy of shares: its cost at the limit, rounded up, and the worst fee", () => {
    expect(holdOf(sizing(), HALF, null, FREE)).toBe(1_000_000n);
    const odd = sizing({ budget: { kind: "shares", shares: shares(1_000_001n) } });
    expect(holdOf(odd, HALF, null, FREE)).toBe(500_001n);
    expect(holdOf(sizing(), HALF, null, TAXED)).toBe(1_000_000n + 35_000n);
    // Filled at one half it would pay more than at its limit.
    expect(holdOf(sizing(), price(900_000n), null, TAXED)).toBe(1_800_000n + 35_000n);
  });

  it("a buy of an amount: the amount, and the fee of the most shares it can get", () => {
    const buy = sizing({ budget: { kind: "amount", amount: usdc(1_000_000n) } });
    expect(holdOf(buy, HALF, null, FREE)).toBe(1_000_000n);
    expect(holdOf(buy, HALF, price(100_000n), TAXED)).toBe(1_000_000n + 63_000n);
  });

  it("a sell: its shares", () => {
    expect(holdOf(sizing({ action: "SELL" }), HALF, HALF, TAXED)).toBe(2_000_000n);
  });
});

describe("a buy that fills at once", () => {
  const book: Book = {
    orders: [],
    house: [{ side: "ask", price: HALF, size: shares(100_000_000n) }],
  };
  const rules = { tick: price(10_000n), minBuyAmount: usdc(1_000_000n), feeRate: FREE };
  const buyOf = (size: bigint) => {
    const budget = { kind: "shares", shares: shares(size) } as const;
    return termsOf(sizing({ budget }), rules, book);
  };

  it("may be worth exactly the minimum", () => {
    const terms = buyOf(2_000_000n);
    expect(isRefusal(terms) ? terms : terms.result.isComplete).toBe(true);
  });

  it("is refused a lot below it", () => {
    expect(buyOf(1_990_000n)).toMatchObject({ code: "ORDER_TOO_SMALL" });
  });

  it("may be as small as it likes where it rests", () => {
    const rests = sizing({
      price: price(10_000n),
      budget: { kind: "shares", shares: shares(1_990_000n) },
    });
    expect(isRefusal(termsOf(rests, rules, book))).toBe(false);
  });
});
