import { describe, expect, it } from "vitest";
import { describeAccess } from "@/lib/domain/describe-access";
import { AMOUNT_LIMITS, LIMITED_ACTIONS, type Limits } from "@/lib/domain/limits";
import { price, usdc } from "@/lib/units";

const dollars = (amount: number) => usdc(BigInt(amount * 1_000_000));
const TRADING = ["read", "trade", "cancel"];

describe("a key that can't trade", () => {
  it.each<[string[], Limits, string]>([
    [["read"], {}, "Reads only."],
    [["read"], { ipAllow: ["10.0.0.1"] }, "Reads only. Only from 10.0.0.1."],
    [["cancel"], {}, "May cancel orders. Can’t trade."],
    [["read", "cancel"], {}, "May read and cancel orders. Can’t trade."],
    [["read", "webhooks"], {}, "May read and manage webhooks. Can’t trade."],
    [
      ["read", "cancel", "webhooks"],
      {},
      "May read, cancel orders and manage webhooks. Can’t trade.",
    ],
    [["cancel"], { actions: ["BUY"] }, "May do nothing."],
    [TRADING, { actions: ["CANCEL"] }, "May read and cancel orders. Can’t place orders."],
    [TRADING, { markets: [] }, "May read, cancel orders and claim winnings. Can’t place orders."],
  ])("%j with %j is described", (scopes, limits, text) => {
    expect(describeAccess(scopes, limits)).toEqual({ text, isUnlimited: false });
  });
});

describe("a key that trades", () => {
  it("is unlimited without a limit of an amount", () => {
    const unlimited = (text: string) => ({ text, isUnlimited: true });
    expect(describeAccess(TRADING, {})).toEqual(unlimited("May trade without limits."));
    expect(describeAccess(TRADING, { markets: ["category:Politics"] })).toEqual(
      unlimited("May buy any amount in Politics."),
    );
    expect(describeAccess(TRADING, { maxOpenOrders: 1 })).toEqual(
      unlimited("May buy any amount. At most 1 open order."),
    );
    expect(describeAccess(["trade"], {})).toEqual(
      unlimited("May trade without limits. Can’t cancel orders or read the account."),
    );
  });

  it.each<[Limits, string]>([
    [{ perDay: dollars(50) }, "May buy up to $50 a day."],
    [{ perOrder: dollars(12.5) }, "May buy up to $12.50 an order."],
    [{ perOrder: usdc(1n) }, "May buy up to $0.000001 an order."],
    [{ total: dollars(1_234) }, "May buy up to $1,234 in total."],
    [
      { perOrder: dollars(10), perDay: dollars(50), markets: ["category:Politics"] },
      "May buy up to $10 an order and $50 a day in Politics.",
    ],
    [
      { perDay: dollars(50), approvalAbove: dollars(10) },
      "May buy up to $50 a day. Buys nothing above $10 without your approval.",
    ],
    [
      { perDay: dollars(50), approvalAbove: usdc(0n) },
      "May buy up to $50 a day. Buys nothing without your approval.",
    ],
    [
      { openExposure: dollars(200), perMarket: dollars(20), markets: ["event:race", "market:a-b"] },
      "May buy up to $200 at risk at a time and $20 in each market in the event race and the market a-b.",
    ],
    [
      {
        perDay: dollars(50),
        markets: ["category:Politics", "event:one", "event:two", "market:a-b"],
      },
      "May buy up to $50 a day in 1 category, 2 events and 1 market.",
    ],
    [
      { perDay: dollars(50), actions: ["BUY", "CANCEL"] },
      "May buy up to $50 a day. Can’t sell or claim winnings.",
    ],
    [
      { perDay: dollars(50), maxOpenOrders: 5, ordersPerMinute: 1 },
      "May buy up to $50 a day. At most 5 open orders and 1 order a minute.",
    ],
    [
      { perDay: dollars(50), maxDistanceFromMid: price(25_000n) },
      "May buy up to $50 a day. Prices within 2.5¢ of the middle of the book.",
    ],
    [
      { perDay: dollars(50), ipAllow: ["10.0.0.1", "10.0.1.0/24"] },
      "May buy up to $50 a day. Only from 10.0.0.1 and 10.0.1.0/24.",
    ],
    [
      { perDay: dollars(50), ipAllow: ["10.0.0.1", "10.0.0.2", "10.0.0.3"] },
      "May buy up to $50 a day. Only from 3 listed addresses.",
    ],
    [{ perDay: dollars(50), ipAllow: [] }, "May buy up to $50 a day. No address may use it."],
    [
      { actions: ["SELL", "CANCEL", "REDEEM"], markets: ["category:Sports"] },
      "May sell in Sports. Can’t buy.",
    ],
  ])("with %o is described by each limit", (limits, text) => {
    const isUnlimited = false;
    expect(describeAccess(TRADING, limits)).toEqual({ text, isUnlimited });
  });

  it("may manage webhooks with that scope", () => {
    const { text } = describeAccess([...TRADING, "webhooks"], { perDay: dollars(50) });
    expect(text).toBe("May buy up to $50 a day. May manage webhooks.");
  });
});

/** Every subset of a list. */
const listSubsets = <T>(of: readonly T[]): T[][] =>
  of.reduce<T[][]>((sets, one) => [...sets, ...sets.map((set) => [...set, one])], [[]]);

it("every combination of scopes, actions and amounts is whole sentences", () => {
  // The limit on losses is a sentence of its own.
  const names = AMOUNT_LIMITS.filter((name) => name !== "dailyLoss");
  const amounts = listSubsets(names).map((chosen) =>
    Object.fromEntries(chosen.map((name) => [name, dollars(5)])),
  );
  for (const scopes of listSubsets(["read", "trade", "cancel", "webhooks"])) {
    for (const actions of [undefined, ...listSubsets(LIMITED_ACTIONS)]) {
      for (const money of amounts) {
        const { text, isUnlimited } = describeAccess(scopes, { ...money, actions });
        expect(text).toMatch(/^(?:[A-Z][^.]*\.)(?: [A-Z][^.]*\.)*$/);
        const canBuy = scopes.includes("trade") && actions?.includes("BUY") !== false;
        expect(isUnlimited).toBe(canBuy && Object.keys(money).length === 0);
        expect(text.includes("$5")).toBe(canBuy && Object.keys(money).length > 0);
      }
    }
  }
});

it("a limit on losses is a sentence of its own", () => {
  const { text } = describeAccess(["trade"], { dailyLoss: dollars(12.5) });
  expect(text).toContain("Freezes when it has lost $12.50 in a day.");
});
