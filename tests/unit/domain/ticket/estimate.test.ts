import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAverage, formatMicroMoney, formatMicroShares } from "@/components/trading/wording";
import { assess } from "@/lib/domain/ticket/assess";
import { mirrorBook, type OutcomeBook, separateOwn } from "@/lib/domain/ticket/book";
import { computeWorstPrice, estimateFills } from "@/lib/domain/ticket/estimate";
import { addUpLevels, bestPrice, type Book, match, oppositeSide } from "@/lib/domain/matching";
import { computeTotals } from "@/lib/domain/order-terms";
import { toBookPrice, toBookSide } from "@/lib/domain/settlement";
import type { TicketForm } from "@/lib/domain/ticket/form";
import { project } from "@/lib/domain/ticket/projection";
import {
  cents,
  count,
  dollars,
  ticketContext,
  ticketForm,
  VECTOR_BOOK,
} from "@/tests/support/domain/ticket";
import { classifyImpact, hasMovedAgainst } from "@/lib/domain/ticket/must-review";

const TICK = cents(1);

type Level = OutcomeBook["bids"][number];

/** Assesses the fields of a vector, which are a complete order. */
function vector(fields: Partial<TicketForm>, changes = {}) {
  const context = ticketContext(changes);
  const { estimate, order, issues, warnings } = assess(ticketForm(fields), context);
  if (!estimate || !order) throw new Error("the vector is an order with a book");
  expect(issues).toEqual([]);
  return { estimate, order, warnings, projection: project(order, estimate, context) };
}

const MARKET_VECTORS: [string, Partial<TicketForm>, object][] = [
  [
    "market buy $100",
    { amount: "100" },
    { filled: 160.31, amount: 99.9953, average: "62.4¢", impact: 38n, left: 0.0047, warns: [] },
  ],
  [
    "market buy $500",
    { amount: "500" },
    {
      filled: 781.53,
      amount: 499.9945,
      average: "64¢",
      impact: 198n,
      left: 0.0055,
      warns: ["impact"],
    },
  ],
  [
    "market buy $1,000",
    { amount: "1000" },
    {
      filled: 850,
      amount: 544.5,
      average: "64.1¢",
      impact: 206n,
      left: 455.5,
      warns: ["impact", "partial"],
    },
  ],
  [
    "market sell 200",
    { action: "SELL", shares: "200" },
    { filled: 200, amount: 121.2, average: "60.6¢", impact: 40n, left: 0, warns: [] },
  ],
  [
    "market sell 900",
    { action: "SELL", shares: "900" },
    {
      filled: 820,
      amount: 481.2,
      average: "58.7¢",
      impact: 232n,
      left: 80,
      warns: ["impact", "partial"],
    },
  ],
];

describe("the test vectors of design 6.3", () => {
  it.each(MARKET_VECTORS)("%s", (_name, fields, expected) => {
    const { estimate, warnings } = vector({ type: "market", ...fields });
    const { filled, amount, average, impact, left } = estimate;
    expect({
      filled: Number(filled) / 1e6,
      amount: Number(amount) / 1e6,
      average: average && formatAverage(average, TICK),
      // Rounded half up to hundredths of a cent.
      impact: (impact + 50n) / 100n,
      left: Number(left.kind === "amount" ? left.amount : left.shares) / 1e6,
      warns: warnings.map(({ kind }) => kind),
    }).toEqual(expected);
  });

  it("limit buy 63¢ × 300 fills immediately for 188.00, at most 189.00", () => {
    const { estimate, projection } = vector({ type: "limit", price: "63", shares: "300" });
    expect(formatMicroShares(estimate.filled)).toBe("300");
    expect(estimate.amount).toBe(dollars(188));
    expect(projection.bound).toBe(dollars(189));
    expect(estimate.average && formatAverage(estimate.average, TICK)).toBe("62.7¢");
    expect(projection.resting).toBe(0n);
  });

  it("limit buy 60¢ × 100 rests, costs at most 60.00 and pays 100.00 if it wins, 66.7 % more", () => {
    const { estimate, projection } = vector({ type: "limit", price: "60", shares: "100" });
    expect(estimate.filled).toBe(0n);
    expect(projection).toEqual({
      shares: count(100),
      resting: count(100),
      money: dollars(60),
      bound: dollars(60),
      profit: dollars(40),
      profitPercent: 66_666_666n,
    });
  });

  it("limit sell 60¢ × 500 sells 420 now for 253.20 and yields 301.20, at least 300.00", () => {
    const { estimate, projection } = vector({
      type: "limit",
      action: "SELL",
      price: "60",
      shares: "500",
    });
    expect(estimate.filled).toBe(count(420));
    expect(estimate.amount).toBe(dollars(253.2));
    expect(estimate.average && formatAverage(estimate.average, TICK)).toBe("60.3¢");
    expect(projection.resting).toBe(count(80));
    expect(projection.money).toBe(dollars(301.2));
    expect(projection.bound).toBe(dollars(300));
  });

  it("the other outcome's book gives the mirrored result", () => {
    const { estimate } = vector(
      { type: "market", amount: "100" },
      { book: mirrorBook(mirrorBook(VECTOR_BOOK)) },
    );
    expect(estimate.filled).toBe(count(160.31));
    const other = vector(
      { type: "market", outcome: 1, amount: "39" },
      { book: mirrorBook(VECTOR_BOOK) },
    );
    expect(other.estimate.best).toBe(cents(39));
    expect(other.estimate.filled).toBe(count(100));
  });
});

describe("the account's own orders", () => {
  const order = { status: "open", filledShares: 0, outcome: "Yes" } as const;

  it("are no buyers: 167.13 shares are sold to the house at 29¢, not at the own 30¢", () => {
    const bids = [
      { price: cents(30), shares: count(150) },
      { price: cents(29), shares: count(400) },
    ];
    const orders = [{ ...order, action: "BUY", price: 0.3, shares: 150 }] as const;
    const book = separateOwn({ bids, asks: [] }, "Yes", orders);
    const sale = vector({ action: "SELL", type: "market", shares: "167.13" }, { book });
    expect(sale.estimate.average).toBe(cents(29));
    expect(sale.estimate.best).toBe(cents(29));
    expect(sale.projection.money).toBe(dollars(48.4677));
    expect(sale.order.limit).toBe(cents(24));
  });

  const anySize = fc.integer({ min: 1, max: 500 });
  const anyLevels = fc.uniqueArray(
    fc.record({ at: fc.integer({ min: 1, max: 99 }), size: anySize }),
    {
      selector: ({ at }) => at,
      maxLength: 12,
    },
  );
  const anyOwn = fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 99 }),
      size: anySize,
      outcome: fc.constantFrom(0, 1),
    }),
    { maxLength: 6 },
  );

  it("trade and are canceled as on the exchange, in the book of either outcome", () => {
    fc.assert(
      fc.property(
        fc.record({
          levels: anyLevels,
          own: anyOwn,
          action: fc.constantFrom("BUY" as const, "SELL" as const),
          outcome: fc.constantFrom(0 as const, 1 as const),
          limit: fc.integer({ min: 1, max: 99 }),
          size: anySize,
        }),
        ({ levels, own, action, outcome, limit, size }) => {
          const side = toBookSide(action, outcome);
          const maker = oppositeSide(side);
          const exchange: Book = {
            house: levels.map(({ at, size: shares }) => ({
              side: maker,
              price: cents(at),
              size: count(shares),
            })),
            orders: own.map(({ at, size: shares }, index) => ({
              id: String(index),
              ownerId: "me",
              side: maker,
              price: cents(at),
              remaining: count(shares),
              sequence: BigInt(index),
            })),
          };
          const budget = { kind: "shares", shares: count(size) } as const;
          const taker = { ownerId: "me", side, limit: toBookPrice(outcome, cents(limit)), budget };
          const truth = match(exchange, taker);
          const shown = { bids: [] as Level[], asks: [] as Level[] };
          for (const { price, size: shares } of addUpLevels(exchange)) {
            shown[maker === "bid" ? "bids" : "asks"].push({ price, shares });
          }
          const orders = own.map(({ at, size: shares, outcome: index }) => ({
            ...order,
            outcome: index === 0 ? "Yes" : "No",
            action: (maker === "bid") === (index === 0) ? ("BUY" as const) : ("SELL" as const),
            price: (index === 0 ? at : 100 - at) / 100,
            shares,
          }));
          const book =
            outcome === 0
              ? separateOwn(shown, "Yes", orders)
              : separateOwn(mirrorBook(shown), "No", orders);
          const estimate = estimateFills(book, {
            action,
            limit: cents(limit),
            budget,
            feeRate: 0n,
          });
          const { filled, paid } = computeTotals(truth, outcome);
          expect({
            filled: estimate.filled,
            amount: estimate.amount,
            first: estimate.first && toBookPrice(outcome, estimate.first),
            canceled: estimate.canceled.map(({ remaining }) => remaining).toSorted(),
          }).toEqual({
            filled,
            amount: paid,
            first: bestPrice(exchange, maker),
            canceled: truth.selfCrossed.map(({ remaining }) => remaining).toSorted(),
          });
        },
      ),
    );
  });
});

describe("the worst price", () => {
  const grid = { protection: cents(5), tick: TICK };

  it("is the best price plus the protection, on the grid", () => {
    expect(computeWorstPrice("BUY", cents(62), grid)).toBe(cents(67));
    expect(computeWorstPrice("SELL", cents(61), grid)).toBe(cents(56));
    expect(computeWorstPrice("BUY", cents(97), grid)).toBe(cents(99));
    expect(computeWorstPrice("SELL", cents(3), grid)).toBe(cents(1));
  });
});

describe("impact", () => {
  it.each([
    [0.38, 62, "none"],
    [1, 62, "notice"],
    [0.5, 10, "notice"],
    [0.9, 5, "notice"],
    [1.2, 10, "confirm"],
    [5, 80, "confirm"],
    [4.9, 80, "notice"],
  ])("of %d¢ on %d¢ is classified as %s", (impact, best, level) => {
    expect(classifyImpact(cents(impact), cents(best))).toBe(level);
  });
});

describe("a shown price", () => {
  it("has moved against the user if it is worse by more than one cent or two percent", () => {
    expect(hasMovedAgainst("BUY", cents(62.4), cents(63.6))).toBe(true);
    expect(hasMovedAgainst("BUY", cents(62.4), cents(63.2))).toBe(false);
    expect(hasMovedAgainst("BUY", cents(10), cents(10.3))).toBe(true);
    expect(hasMovedAgainst("BUY", cents(62), cents(40))).toBe(false);
    expect(hasMovedAgainst("SELL", cents(62), cents(60.9))).toBe(true);
    expect(hasMovedAgainst("SELL", cents(62), cents(70))).toBe(false);
  });
});

describe("money on the ticket", () => {
  it("rounds costs up and proceeds down", () => {
    expect(formatMicroMoney(99_995_300n, "up")).toBe("$100.00");
    expect(formatMicroMoney(99_995_300n, "down")).toBe("$99.99");
    expect(formatMicroShares(160_319_999n)).toBe("160.31");
  });
});
