import { describe, expect, it } from "vitest";
import {
  arrangePositions,
  type ListedPosition,
  type PositionView,
  computeTotals,
} from "@/lib/domain/position-list";

const position = (id: string, more: Partial<ListedPosition> = {}): ListedPosition => ({
  id,
  marketTitle: `Will it rain on day ${id}?`,
  outcome: "Yes",
  shares: 100,
  avgPrice: 0.4,
  currentPrice: 0.5,
  value: 50,
  pnl: 10,
  redeemable: false,
  ...more,
});
const VIEW: PositionView = { text: "", sort: "value", isDescending: true, page: 1 };
const listIds = (positions: readonly ListedPosition[]) => positions.map(({ id }) => id);
const shown = (positions: readonly ListedPosition[], view: Partial<PositionView> = {}) =>
  listIds(arrangePositions(positions, { ...VIEW, ...view }).shown);

describe("totals", () => {
  it("are exact to the micro-unit where floating-point sums are not", () => {
    const three = ["1", "2", "3"].map((id) => position(id, { value: 0.1, pnl: -0.2 }));
    expect(computeTotals(three)).toEqual({
      cost: 0.9,
      value: 0.3,
      pnl: -0.6,
      pnlPercent: -66.666666,
    });
  });

  it("of no positions are zero, without a percentage", () => {
    expect(computeTotals([])).toEqual({ cost: 0, value: 0, pnl: 0, pnlPercent: null });
  });
});

describe("a view", () => {
  const open = position("1", { value: 5 });
  const won = position("2", { redeemable: true, value: 100 });
  const lost = position("3", { redeemable: true, value: 0, outcome: "No" });
  const dust = position("4", { value: 0.009999 });
  const all = [open, won, lost, dust];

  it("lists wins first, and losses apart from open positions", () => {
    const arranged = arrangePositions([open, lost, position("5", { value: 500 }), won], VIEW);
    expect(listIds(arranged.shown)).toEqual(["2", "5", "1"]);
    expect(listIds(arranged.lost)).toEqual(["3"]);
    expect(arranged.tiny).toEqual([]);
  });

  it("separates open positions below a cent, but never wins", () => {
    expect(listIds(arrangePositions(all, VIEW).tiny)).toEqual(["4"]);
    const cents = [position("5", { value: 0.01 }), { ...won, value: 0.002 }];
    expect(shown(cents)).toEqual(["2", "5"]);
  });

  it("matches words of the market and the outcome, in any order and case", () => {
    expect(listIds(arrangePositions(all, { ...VIEW, text: "NO day" }).lost)).toEqual(["3"]);
    expect(shown(all, { text: "day 1" })).toEqual(["1"]);
    expect(shown(all, { text: "snow" })).toEqual([]);
  });

  it.each(["market", "shares", "price", "value", "pnl", "towin"] as const)(
    "sorts by %s both ways",
    (sort) => {
      const small = position("1", {
        marketTitle: "A",
        shares: 1,
        currentPrice: 0.1,
        value: 1,
        pnl: -1,
      });
      const large = position("2", {
        marketTitle: "B",
        shares: 9,
        currentPrice: 0.9,
        value: 20,
        pnl: 1,
      });
      expect(shown([large, small], { sort, isDescending: false })).toEqual(["1", "2"]);
      expect(shown([small, large], { sort, isDescending: true })).toEqual(["2", "1"]);
    },
  );

  it("keeps the order of equal positions, so that rows don't jump", () => {
    const [first, second] = [position("1"), position("2")];
    expect(shown([first, second])).toEqual(shown([second, first]));
  });
});
