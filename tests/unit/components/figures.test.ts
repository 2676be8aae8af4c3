import { describe, expect, it } from "vitest";
import { maskFigures } from "@/components/format/figures";

describe("a sentence without its money and shares", () => {
  it.each([
    [
      "This order needs $5,000.00; $3.40 is available ($1.60 is reserved by 2 open orders).",
      "This order needs ••••; •••• is available (•••• is reserved by 2 open orders).",
    ],
    [
      "This order needs 5 shares; 1.5 are available (10.5 are reserved by 2 open orders).",
      "This order needs •••• shares; •••• are available (•••• are reserved by 2 open orders).",
    ],
    ["Not enough shares: needed 5, had 1.5", "Not enough shares: needed ••••, had ••••"],
    ["Order changed: buy 1,050.5 Yes at 37¢.", "Order changed: buy •••• Yes at 37¢."],
  ])("masks the figures of “%s”", (text, masked) => {
    expect(maskFigures(text)).toBe(masked);
  });

  it.each([
    "Fills immediately at 44¢ or better. Anything unfilled is canceled.",
    "Order open at 60¢. Expires 24 Nov, 12:00.",
  ])("keeps “%s”, which has a price or a time", (text) => {
    expect(maskFigures(text)).toBe(text);
  });
});
