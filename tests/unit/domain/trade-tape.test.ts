import { describe, expect, it } from "vitest";
import { toHouseTaker, toOutcomeSide } from "@/lib/domain/trade-tape";
import { price } from "@/lib/units";

const at = price(620_000n);

describe("the sides of a trade", () => {
  it("the house buys a seller's shares at the seller's price", () => {
    expect(toHouseTaker({ action: "SELL", outcome: 1, price: at })).toEqual({
      action: "BUY",
      outcome: 1,
      price: at,
    });
  });

  it("the house matches a buyer by buying the other outcome at 1 - price", () => {
    expect(toHouseTaker({ action: "BUY", outcome: 0, price: at })).toEqual({
      action: "BUY",
      outcome: 1,
      price: 380_000n,
    });
  });

  it("a buy of one outcome is shown as a sell of the other, and unchanged for its own outcome", () => {
    const trade = { action: "BUY", outcome: 0, price: at } as const;
    expect(toOutcomeSide(0, trade)).toEqual({ action: "BUY", price: at });
    expect(toOutcomeSide(1, trade)).toEqual({ action: "SELL", price: 380_000n });
  });
});
