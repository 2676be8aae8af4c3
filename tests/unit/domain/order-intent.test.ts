import { describe, expect, it } from "vitest";
import {
  checkFields,
  type OrderIntent,
  type OrderRequest,
  toIntent,
  type TradingRules,
} from "@/lib/domain/order-intent";
import { AppError } from "@/lib/errors";
import { price, shares, usdc } from "@/lib/units";

const RULES: TradingRules = {
  tick: price(10_000n),
  minOrderShares: shares(5_000_000n),
  minBuyAmount: usdc(1_000_000n),
};
const at = (micro: bigint) => ({ price: price(micro) });
const size = (micro: bigint) => ({ shares: shares(micro) });
const spend = (micro: bigint) => ({ amount: usdc(micro) });

const order = (
  action: OrderRequest["action"],
  orderType: OrderRequest["orderType"],
  ...fields: Partial<OrderRequest>[]
): OrderRequest => Object.assign({ tokenId: "1", action, orderType }, ...fields);

const limitBuy = (...fields: Partial<OrderRequest>[]) => order("BUY", "limit", ...fields);
const limitSell = (...fields: Partial<OrderRequest>[]) => order("SELL", "limit", ...fields);
const marketBuy = (...fields: Partial<OrderRequest>[]) => order("BUY", "market", ...fields);
const marketSell = (...fields: Partial<OrderRequest>[]) => order("SELL", "market", ...fields);

const HALF = at(500_000n);
const TEN = size(10_000_000n);
const FIVE_USDC = spend(5_000_000n);

type Case = [name: string, request: OrderRequest, code: string, message: string];

const FIELD_REFUSALS: Case[] = [
  ["a limit BUY without price", limitBuy(TEN), "PRICE_REQUIRED", "A limit order needs a price."],
  ["a limit SELL without price", limitSell(TEN), "PRICE_REQUIRED", "A limit order needs a price."],
  ["a limit order without anything", limitBuy(), "PRICE_REQUIRED", "A limit order needs a price."],
  [
    "a market SELL with amount",
    marketSell(FIVE_USDC),
    "CONFLICTING_FIELDS",
    "A SELL is sized in shares. Send shares instead of amount.",
  ],
  [
    "a limit SELL with amount",
    limitSell(HALF, FIVE_USDC),
    "CONFLICTING_FIELDS",
    "A SELL is sized in shares. Send shares instead of amount.",
  ],
  [
    "a SELL with amount and shares",
    marketSell(FIVE_USDC, TEN),
    "CONFLICTING_FIELDS",
    "A SELL is sized in shares. Send shares instead of amount.",
  ],
  [
    "a BUY with amount and shares",
    marketBuy(FIVE_USDC, TEN),
    "CONFLICTING_FIELDS",
    "Send amount or shares, not both.",
  ],
  [
    "a limit BUY with amount and shares",
    limitBuy(HALF, FIVE_USDC, TEN),
    "CONFLICTING_FIELDS",
    "Send amount or shares, not both.",
  ],
  [
    "a market BUY without amount and shares",
    marketBuy(),
    "AMOUNT_OR_SHARES_REQUIRED",
    "A BUY needs amount or shares.",
  ],
  [
    "a limit BUY without amount and shares",
    limitBuy(HALF),
    "AMOUNT_OR_SHARES_REQUIRED",
    "A BUY needs amount or shares.",
  ],
  [
    "a market SELL without shares",
    marketSell(),
    "AMOUNT_OR_SHARES_REQUIRED",
    "A SELL needs shares.",
  ],
];

const offTick = (shown: string, use: string) =>
  `The price ${shown} is not a multiple of this market's tick size 0.01. Use ${use}.`;
const tickClaim = (claim: string) => `This market's tick size is 0.01, not ${claim}.`;
const TWO_DECIMALS = "Shares can have at most 2 decimals.";

const RULE_REFUSALS: Case[] = [
  [
    "another market's tickSize",
    limitBuy(HALF, TEN, { tickSize: "0.001" }),
    "INVALID_TICK_SIZE",
    tickClaim('"0.001"'),
  ],
  [
    "a tickSize that is not a number",
    marketBuy(FIVE_USDC, { tickSize: 'a "cent"' }),
    "INVALID_TICK_SIZE",
    tickClaim('"a \\"cent\\""'),
  ],
  [
    "a very long tickSize, quoting only its beginning",
    marketBuy(FIVE_USDC, { tickSize: "0".repeat(1_000) }),
    "INVALID_TICK_SIZE",
    tickClaim(`"${"0".repeat(32)}"`),
  ],
  [
    "a price between two ticks",
    limitBuy(at(625_000n), TEN),
    "PRICE_OFF_TICK",
    offTick("0.625", "0.62 or 0.63"),
  ],
  [
    "a price a micro off",
    limitSell(at(500_001n), TEN),
    "PRICE_OFF_TICK",
    offTick("0.500001", "0.5 or 0.51"),
  ],
  ["a price of zero", limitBuy(at(0n), TEN), "PRICE_OFF_TICK", offTick("0", "0.01")],
  ["a price of one", limitBuy(at(1_000_000n), TEN), "PRICE_OFF_TICK", offTick("1", "0.99")],
  ["a price in cents", limitBuy(at(62_000_000n), TEN), "PRICE_OFF_TICK", offTick("62", "0.99")],
  [
    "an off-grid worst price of a market order",
    marketBuy(at(625_000n), FIVE_USDC),
    "PRICE_OFF_TICK",
    offTick("0.625", "0.62 or 0.63"),
  ],
  ["shares with 3 decimals", limitBuy(HALF, size(10_001_000n)), "PRECISION_TOO_HIGH", TWO_DECIMALS],
  ["a micro-share to SELL", marketSell(size(1n)), "PRECISION_TOO_HIGH", TWO_DECIMALS],
  [
    "a market amount with 3 decimals",
    marketBuy(spend(5_001_000n)),
    "PRECISION_TOO_HIGH",
    "The amount of a market order can have at most 2 decimals.",
  ],
  [
    "a limit order below the minimum",
    limitSell(HALF, size(4_990_000n)),
    "ORDER_TOO_SMALL",
    "A limit order must be for at least 5 shares. This one is for 4.99.",
  ],
  [
    "a limit amount that buys less than the minimum",
    limitBuy(HALF, spend(2_499_999n)),
    "ORDER_TOO_SMALL",
    "A limit order must be for at least 5 shares. This one is for 4.99.",
  ],
  [
    "a limit amount that buys nothing",
    limitBuy(HALF, spend(1n)),
    "ORDER_TOO_SMALL",
    "A limit order must be for at least 5 shares. This one is for 0.",
  ],
  [
    "a market amount below the minimum",
    marketBuy(spend(990_000n)),
    "ORDER_TOO_SMALL",
    "A market buy must be at least $1.00. This one is $0.99.",
  ],
];

function readRefusal(act: () => unknown) {
  try {
    return { answer: act() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, status: error.status, message: error.message };
  }
}

describe("checkFields", () => {
  it.each(FIELD_REFUSALS)("refuses %s, naming the field", (_name, request, code, message) => {
    expect(readRefusal(() => checkFields(request))).toEqual({ code, status: 400, message });
  });

  it.each([
    ["limit BUY with shares", limitBuy(HALF, TEN)],
    ["limit BUY with amount", limitBuy(HALF, FIVE_USDC)],
    ["limit SELL with shares", limitSell(HALF, TEN)],
    ["market BUY with amount", marketBuy(FIVE_USDC)],
    ["market BUY with shares", marketBuy(TEN)],
    ["market SELL with shares and worst price", marketSell(TEN, HALF)],
  ])("accepts a %s", (_name, request) => {
    expect(readRefusal(() => checkFields(request))).toEqual({ answer: undefined });
  });
});

describe("toIntent refuses", () => {
  it.each([...FIELD_REFUSALS, ...RULE_REFUSALS])(
    "%s, with the numbers in the caller's units",
    (_name, request, code, message) => {
      expect(readRefusal(() => toIntent(request, RULES))).toEqual({ code, status: 400, message });
    },
  );

  it("orders that break the market's own tick or minimum", () => {
    const fine = { ...RULES, tick: price(2_500n), minOrderShares: shares(15_500_000n) };
    expect(readRefusal(() => toIntent(limitBuy(at(501_000n), TEN), fine))).toMatchObject({
      message:
        "The price 0.501 is not a multiple of this market's tick size 0.0025. Use 0.5 or 0.5025.",
    });
    expect(readRefusal(() => toIntent(limitBuy(at(502_500n), TEN), fine))).toMatchObject({
      message: "A limit order must be for at least 15.5 shares. This one is for 10.",
    });
  });
});

describe("toIntent refuses more than the maximum order", () => {
  const MILLION = 1_000_000_000_000n;
  it.each<[string, OrderRequest, RegExp]>([
    ["shares", limitBuy(HALF, size(10n * MILLION + 10_000n)), /^shares: .* 10000000$/],
    ["an amount", limitBuy(at(990_000n), spend(10n * MILLION + 1n)), /^amount: .* 10000000$/],
    ["what an amount buys", limitBuy(at(10_000n), spend(MILLION)), /more than 10000000 shares/],
    [
      "the shares that a market buy could buy at its worst price",
      order("BUY", "market", at(10_000n), spend(MILLION)),
      /more than 10000000 shares/,
    ],
  ])("%s, with the maximum in the message", (_name, request, message) => {
    const refusal = expect.objectContaining({ code: "VALIDATION_ERROR" });
    expect(() => toIntent(request, RULES)).toThrow(refusal);
    expect(() => toIntent(request, RULES)).toThrow(message);
  });

  it("but accepts the maximum", () => {
    const most = size(10n * MILLION);
    expect(toIntent(limitBuy(HALF, most), RULES)).toMatchObject(most);
  });
});

describe("toIntent completes", () => {
  const limit = { type: "limit", ...HALF, ...TEN } as const;
  const market = { type: "market", worstPrice: null } as const;

  it.each<[string, OrderRequest, OrderIntent]>([
    ["a limit BUY of shares", limitBuy(HALF, TEN), { ...limit, action: "BUY", amount: null }],
    ["a limit SELL of shares", limitSell(HALF, TEN), { ...limit, action: "SELL", amount: null }],
    [
      "a limit BUY for an amount, with the whole lots it buys",
      limitBuy(at(620_000n), spend(10_000_000n)),
      {
        type: "limit",
        action: "BUY",
        ...at(620_000n),
        ...size(16_120_000n),
        ...spend(10_000_000n),
      },
    ],
    [
      "a limit BUY for an amount with 6 decimals, at exactly the minimum",
      limitBuy(HALF, spend(2_500_001n)),
      { type: "limit", action: "BUY", ...HALF, ...size(5_000_000n), ...spend(2_500_001n) },
    ],
    [
      "a market BUY of exactly the minimum amount",
      marketBuy(spend(1_000_000n)),
      { ...market, action: "BUY", shares: null, ...spend(1_000_000n) },
    ],
    [
      "a market BUY with a worst price",
      marketBuy(FIVE_USDC, at(670_000n)),
      { type: "market", action: "BUY", worstPrice: price(670_000n), shares: null, ...FIVE_USDC },
    ],
    [
      "a market BUY of very few shares",
      marketBuy(size(10_000n)),
      { ...market, action: "BUY", ...size(10_000n), amount: null },
    ],
    [
      "a market SELL of fewer shares than a limit order needs",
      marketSell(size(1_230_000n), HALF),
      { type: "market", action: "SELL", worstPrice: HALF.price, ...size(1_230_000n), amount: null },
    ],
  ])("%s", (_name, request, intent) => {
    expect(toIntent(request, RULES)).toEqual(intent);
  });

  it.each(["0.01", "0.010", "00.010000"])("an order that claims the tickSize as %s", (tickSize) => {
    expect(toIntent(limitBuy(HALF, TEN, { tickSize }), RULES)).toMatchObject(TEN);
  });

  it.each([10_000n, 990_000n])("an order at the grid's bound of %s micro", (bound) => {
    expect(toIntent(limitSell(at(bound), TEN), RULES)).toMatchObject(at(bound));
  });
});
