import { describe, expect, it } from "vitest";
import { formatCents, readPrice, snapPrice, stepPrice } from "@/lib/domain/ticket/price-field";
import { price } from "@/lib/units";

const CENT = price(10_000n);
const TENTH = price(1_000n);
const FINE = price(100n);
const QUARTER = price(2_500n);

describe("a typed price", () => {
  it.each([
    ["62", CENT, 620_000n],
    ["62,5", TENTH, 625_000n],
    ["62.25", QUARTER, 622_500n],
    ["0.5", TENTH, 5_000n],
    ["99.99", FINE, 999_900n],
    ["1", CENT, 10_000n],
  ])("%j cents is on the grid", (text, tick, at) => {
    expect(readPrice(text, tick)).toEqual({ kind: "price", price: at });
  });

  it.each([
    ["0.62", CENT, 620_000n],
    ["0,62", TENTH, 620_000n],
    [".05", CENT, 50_000n],
  ])("%j looks like a fraction of a dollar and offers its value", (text, tick, meant) => {
    expect(readPrice(text, tick)).toEqual({ kind: "fraction", meant });
  });

  it.each(["0", "0.001", "100", "99.5", "250"])("%j is outside a grid of whole cents", (text) => {
    expect(readPrice(text, CENT)).toEqual({ kind: "outside" });
  });

  it.each([
    ["62.4", CENT, 620_000n, 630_000n],
    ["62.00001", CENT, 620_000n, 630_000n],
    ["62.4", QUARTER, 622_500n, 625_000n],
    ["1.5", CENT, 10_000n, 20_000n],
  ])("%j lies between two prices of the grid", (text, tick, below, above) => {
    const reading = readPrice(text, tick);
    expect(reading).toEqual({ kind: "off_grid", below, above });
    expect(snapPrice(reading, "BUY")).toBe(below);
    expect(snapPrice(reading, "SELL")).toBe(above);
  });

  it("isn't rounded if it is on the grid, outside it, a fraction or no number", () => {
    for (const text of ["62", "120", "0.62", "x", ""]) {
      expect(snapPrice(readPrice(text, CENT), "BUY")).toBeNull();
    }
  });
});

describe("a step", () => {
  const step = (text: string, ticks: number, tick = CENT) =>
    formatCents(stepPrice(readPrice(text, tick), { ticks, tick, start: price(505_000n) }));

  it("moves by ticks and stops at the ends of the grid", () => {
    expect(step("62", 1)).toBe("63");
    expect(step("62", -10)).toBe("52");
    expect(step("98", 10)).toBe("99");
    expect(step("2", -10)).toBe("1");
    expect(step("62.5", 1, TENTH)).toBe("62.6");
    expect(step("62.25", -1, QUARTER)).toBe("62");
  });

  it("moves from between two prices to the next one in its direction", () => {
    expect(step("62.4", 1)).toBe("63");
    expect(step("62.4", -1)).toBe("62");
  });

  it("starts at the market's price without a price, and at a fraction's value", () => {
    expect(step("", 1)).toBe("50");
    expect(step("x", -1)).toBe("50");
    expect(step("0.62", 1)).toBe("62");
  });
});
