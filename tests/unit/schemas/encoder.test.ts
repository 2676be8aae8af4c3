import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { Balance, Portfolio } from "@/lib/schemas/account";
import { getEncoder } from "@/lib/schemas/encoder";
import { OpenOrders, OrderRecord } from "@/lib/schemas/orders";
import { formatMicro, MAX_MICRO, microToNumber, price, shares, usdc } from "@/lib/units";

const text = fc.string({ unit: "binary" });
const micro = fc.bigInt({ min: -MAX_MICRO, max: MAX_MICRO });
const instant = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
const side = fc.constantFrom("YES" as const, "NO" as const);
const action = fc.constantFrom("BUY" as const, "SELL" as const);
const type = fc.constantFrom("limit" as const, "market" as const);

const portfolio = fc.record({
  balanceUsdc: micro.map(usdc),
  portfolioValue: micro.map(usdc),
  totalPnl: micro.map(usdc),
  realizedPnl: fc.option(micro.map(usdc)),
  unrealizedPnl: micro.map(usdc),
  fees: fc.option(micro.map(usdc)),
  positions: fc.array(
    fc.record({
      id: text,
      conditionId: text,
      marketTitle: text,
      marketSlug: fc.option(text),
      iconUrl: fc.option(text),
      outcome: text,
      shares: micro.map(shares),
      avgPrice: micro.map(price),
      currentPrice: micro.map(price),
      value: micro.map(usdc),
      pnl: micro.map(usdc),
      pnlPercent: micro,
      negativeRisk: fc.boolean(),
      redeemable: fc.boolean(),
    }),
  ),
});

const openOrders = fc.record({
  orders: fc.array(
    fc.record({
      id: text,
      marketId: text,
      assetId: text,
      marketTitle: fc.option(text),
      marketSlug: fc.option(text),
      marketRoute: fc.option(text),
      iconUrl: fc.option(text),
      action,
      side,
      type,
      price: fc.option(micro.map(price)),
      shares: micro.map(shares),
      createdAt: instant,
      status: fc.constant("open" as const),
    }),
  ),
  nextCursor: fc.option(text),
});

function sameAsZod<S extends z.ZodType>(schema: S, values: fc.Arbitrary<z.output<S>>): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.stringify(getEncoder(schema)(value))).toBe(
        JSON.stringify(z.encode(schema, value)),
      );
    }),
  );
}

it("encodes the same as zod, byte for byte", () => {
  sameAsZod(Portfolio, portfolio);
  sameAsZod(OpenOrders, openOrders);
  sameAsZod(z.record(z.string(), z.string()), fc.dictionary(text, text));
});

it("encodes fields in the order of the schema", () => {
  const schema = z.strictObject({ a: z.string(), b: z.boolean() });
  expect(JSON.stringify(getEncoder(schema)({ b: true, a: "x" }))).toBe('{"a":"x","b":true}');
});

it("applies refinements", () => {
  const schema = z.strictObject({ rows: z.array(z.string().min(2)) });
  expect(() => getEncoder(schema)({ rows: ["x"] })).toThrow();
  expect(getEncoder(schema)({ rows: ["xy"] })).toEqual({ rows: ["xy"] });
});

it.each([
  ["a missing text", Balance, {}],
  ["a number for a text", Balance, { userId: 1 }],
  ["a list that is none", OpenOrders, { orders: {}, nextCursor: null }],
  ["a state that no schema names", OrderRecord.pick({ status: true }), { status: "gone" }],
  ["null where a figure belongs", Portfolio, { balanceUsdc: null }],
  [
    "an amount that no JSON number holds",
    z.object({ a: Portfolio.shape.balanceUsdc }),
    {
      a: MAX_MICRO + 1n,
    },
  ],
])("refuses %s", (_name, schema, value) => {
  expect(() => getEncoder(schema)(value)).toThrow();
});

it("a micro value becomes the number that its decimal text reads as", () => {
  fc.assert(
    fc.property(micro, (value) => {
      expect(microToNumber(value)).toBe(Number(formatMicro(value)));
    }),
    { numRuns: 5_000 },
  );
});
