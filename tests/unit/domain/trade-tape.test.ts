import { describe, expect, it } from "vitest";
import { houseTakerOf, seenFrom } from "@/lib/domain/trade-tape";
import { price } from "@/lib/units";

const at = price(620_000n);

describe("who took what", () => {
  it("has the house buy a seller's shares at the seller's price", () => {
    expect(houseTakerOf({ action: "SELL", outcome: 1, price: at })).toEqual({
      action: "BUY",
      outcome: 1,
      price: at,
    });
  });

  it("has the house mint with a buyer, buying the other outcome for what is left of the dollar", () => {
    expect(houseTakerOf({ action: "BUY", outcome: 0, price: at })).toEqual({
      action: "BUY",
      outcome: 1,
      price: 380_000n,
    });
  });

  it("shows buying one outcome as selling the other, and its own outcome as it was", () => {
    const deed = { action: "BUY", outcome: 0, price: at } as const;
    expect(seenFrom(0, deed)).toEqual({ action: "BUY", price: at });
    expect(seenFrom(1, deed)).toEqual({ action: "SELL", price: 380_000n });
  });
});
