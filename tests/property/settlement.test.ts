import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBookSide, getHouseSide, settle } from "@/lib/domain/settlement";
import { notional, ONE, price } from "@/lib/units";
import { anyAction, anyOutcome, anyShares } from "@/tests/support/domain/arbitraries";

const RUNS = { numRuns: 1_000 };
/** Sizes and prices off any grid, so that rounding matters. */
const anyPrice = fc.bigInt({ min: 1n, max: ONE - 1n }).map(price);
const anyParty = fc.record({ action: anyAction, outcome: anyOutcome });
const anyPair = fc
  .tuple(anyParty, anyParty)
  .filter(([bid, ask]) => toBookSide(bid.action, bid.outcome) === "bid" && isAsk(ask));

function isAsk({ action, outcome }: Parameters<typeof settle>[0]): boolean {
  return toBookSide(action, outcome) === "ask";
}

const computeCash = ({ action, notional: worth }: ReturnType<typeof settle>["bid"]) =>
  action === "BUY" ? -worth : worth;

describe("the settlement of any trade", () => {
  it("conserves cash: payments equal proceeds plus the change of collateral", () => {
    fc.assert(
      fc.property(anyPair, anyPrice, anyShares(10n ** 12n), ([bid, ask], at, size) => {
        const { kind, ...sides } = settle(bid, ask, at, size);
        const locked = { mint: size, merge: -size, complementary: 0n }[kind];
        expect(computeCash(sides.bid) + computeCash(sides.ask) + locked).toBe(0n);
      }),
      RUNS,
    );
  });

  it("conserves shares: each outcome's change equals what is minted or merged", () => {
    fc.assert(
      fc.property(anyPair, anyPrice, anyShares(10n ** 12n), ([bid, ask], at, size) => {
        const { kind, ...sides } = settle(bid, ask, at, size);
        const locked = { mint: size, merge: -size, complementary: 0n }[kind];
        for (const outcome of [0, 1] as const) {
          const change = [sides.bid, sides.ask]
            .filter((side) => side.outcome === outcome)
            .reduce((total, { action }) => total + (action === "BUY" ? size : -size), 0n);
          expect(change).toBe(locked);
        }
      }),
      RUNS,
    );
  });

  it("gives each side its own token's price, within a micro of price times size", () => {
    fc.assert(
      fc.property(anyPair, anyPrice, anyShares(10n ** 12n), ([bid, ask], at, size) => {
        const { bid: bidSide, ask: askSide } = settle(bid, ask, at, size);
        for (const [party, side] of [[bid, bidSide] as const, [ask, askSide] as const]) {
          const own = party.outcome === 0 ? at : ONE - at;
          expect(side).toMatchObject({ ...party, size, price: own });
          expect(side.notional >= notional(size, side.price, "down")).toBe(true);
          expect(side.notional <= notional(size, side.price, "up")).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it("leaves the house with shares, because it buys on either side", () => {
    fc.assert(
      fc.property(anyParty, anyPrice, anyShares(10n ** 12n), (party, at, size) => {
        const isBid = !isAsk(party);
        const { bid, ask } = isBid
          ? settle(party, getHouseSide("ask"), at, size)
          : settle(getHouseSide("bid"), party, at, size);
        expect((isBid ? ask : bid).action).toBe("BUY");
      }),
      RUNS,
    );
  });
});
