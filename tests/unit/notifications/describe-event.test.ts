import { describe, expect, it } from "vitest";
import { describeEvent } from "@/lib/notifications/describe-event";
import type { AccountEvent } from "@/lib/schemas/events";
import { price, type Shares, shares, type Usdc, usdc } from "@/lib/units";

type Resolved = Extract<AccountEvent, { type: "market.resolved" }>;
type Redeemable = Extract<AccountEvent, { type: "position.redeemable" }>;

const YES = "11";
const NOTHING_ELSE = {
  markets: new Map(),
  keyNames: new Map(),
  claimable: [],
  paid: new Map(),
  filledNotional: null,
};

function describeResolution(
  winner: string | null,
  held: readonly (readonly [string, Shares])[],
  paid: ReadonlyMap<string, Usdc> = new Map(),
) {
  const event = {
    type: "market.resolved",
    data: {
      market: {
        id: "0x1",
        title: "Will it rain?",
        slug: "rain",
        winner,
        winningTokenId: winner === null ? null : YES,
      },
    },
  } as Resolved;
  const claimable = held.map(
    ([id, size]) => ({ id, shares: size }) as Redeemable["data"]["position"],
  );
  const { title, href, usdc: payout } = describeEvent(event, { ...NOTHING_ELSE, claimable, paid });
  return [title, href, payout];
}

describe("an order that ended after it traded in part", () => {
  it.each([
    ["order.expired", {}, "Bought Yes, rest expired"],
    ["order.canceled", { reason: "by_venue" }, "Bought Yes, rest canceled by Polymarket"],
  ] as const)("says so: %s", (type, detail, title) => {
    const order = {
      id: "ord_1",
      action: "BUY",
      side: "Yes",
      marketId: "0x1",
      filledShares: shares(5_000_000n),
      shares: shares(20_000_000n),
      amount: null,
      avgFillPrice: price(220_000n),
      price: price(230_000n),
      fee: usdc(10_000n),
    };
    const event = { type, data: { order, detail } } as unknown as AccountEvent;
    expect(
      describeEvent(event, { ...NOTHING_ELSE, filledNotional: usdc(1_100_000n) }),
    ).toMatchObject({
      title,
      shares: order.filledShares,
      ordered: { shares: order.shares, usdc: null },
      price: order.avgFillPrice,
      total: { usdc: 1_110_000n, isPaid: true },
    });
  });
});

describe("a resolved market", () => {
  it.each([
    ["Yes", [], "Resolved: Yes", "/markets/rain", null],
    [null, [], "Resolved 50/50", "/markets/rain", null],
    ["Yes", [[YES, shares(2_000_000n)]], "Resolved: Yes. Claim your payout", "/", usdc(2_000_000n)],
    [
      "Yes",
      [["12", shares(2_000_000n)]],
      "Resolved: Yes. Your shares pay $0.00",
      "/markets/rain",
      null,
    ],
    [null, [[YES, shares(2_000_000n)]], "Resolved 50/50. Claim your payout", "/", usdc(1_000_000n)],
    // Half of the smallest size is rounded down to nothing.
    [null, [[YES, shares(1n)]], "Resolved 50/50. Your shares pay $0.00", "/markets/rain", null],
  ] as const)("whose winner is %s: case %#", (winner, held, ...words) => {
    expect(describeResolution(winner, held)).toEqual(words);
  });

  const TWO = shares(2_000_000n);
  const PAID = usdc(2_000_000n);
  const HALF = usdc(1_000_000n);
  it.each([
    [
      "a win",
      "Yes",
      [[YES, TWO]],
      [[YES, PAID]],
      "Resolved: Yes. You were paid",
      "/markets/rain",
      PAID,
    ],
    [
      "a loss",
      "Yes",
      [["12", TWO]],
      [["12", usdc(0n)]],
      "Resolved: Yes. Your shares pay $0.00",
      "/markets/rain",
      null,
    ],
    [
      "one of two halves",
      null,
      [
        [YES, TWO],
        ["12", TWO],
      ],
      [[YES, HALF]],
      "Resolved 50/50. Claim your payout",
      "/",
      HALF,
    ],
    [
      "both halves",
      null,
      [
        [YES, TWO],
        ["12", TWO],
      ],
      [
        [YES, HALF],
        ["12", HALF],
      ],
      "Resolved 50/50. You were paid",
      "/markets/rain",
      PAID,
    ],
  ] as const)("says what is left to claim of %s", (_, winner, held, paid, ...words) => {
    expect(describeResolution(winner, held, new Map(paid))).toEqual(words);
  });
});
