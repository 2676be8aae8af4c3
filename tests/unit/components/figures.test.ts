import { describe, expect, it } from "vitest";
import { maskFigures } from "@/components/format/figures";

describe("a sentence without its money and shares", () => {
  it.each([
    [
      "This order needs $5,000.00; $3.40 is available ($1.60 is reserved by 2 open buys).",
      "This order needs ••••; •••• is available (•••• is reserved by 2 open buys).",
    ],
    [
      "This order needs 5 shares; 1.5 are available (10.5 are reserved by 2 open sells).",
      "This order needs •••• shares; •••• are available (•••• are reserved by 2 open sells).",
    ],
    ["Not enough shares: needed 5, had 1.5", "Not enough shares: needed ••••, had ••••"],
    [
      "You have $3.40 available. This order needs up to $5.00.",
      "You have •••• available. This order needs up to ••••.",
    ],
    [
      "You can sell 1,000.5 shares. 3 are in open orders.",
      "You can sell •••• shares. •••• are in open orders.",
    ],
    [
      "Only $544.50 of $1,000.00 can fill at 67¢ or better. The rest won’t be bought.",
      "Only •••• of •••• can fill at 67¢ or better. The rest won’t be bought.",
    ],
    ["Only 1.5 of 1,000 shares can fill.", "Only •••• of •••• shares can fill."],
    ["Use 1.5 shares", "Use •••• shares"],
    [
      "A limit order must be for at least 5.25 shares. This one is for 3.25.",
      "A limit order must be for at least 5.25 shares. This one is for ••••.",
    ],
    [
      "This market takes orders of at least 5 shares; this order has 3.",
      "This market takes orders of at least 5 shares; this order has ••••.",
    ],
    [
      "A market buy must be at least $1.00. This one is $0.40.",
      "A market buy must be at least $1.00. This one is ••••.",
    ],
    ["Order changed: buy 1,050.5 Yes at 37¢.", "Order changed: buy •••• Yes at 37¢."],
  ])("masks the figures of “%s”", (text, masked) => {
    expect(maskFigures(text)).toBe(masked);
  });

  it.each([
    "Fills immediately at 44¢ or better. Anything unfilled is canceled.",
    "Order open at 60¢. Expires 24 Nov, 12:00.",
    "Minimum order is 5 shares.",
    "Minimum market buy is $1.00.",
    "The maximum order is $999,999,999.99.",
    "You can have 1,000 open orders in one market. You have 1,000. Cancel some first.",
    "This market trades in steps of 0.25¢. Use 62.25¢ or 62.5¢.",
  ])("keeps “%s”, which has only prices, times and limits of everyone", (text) => {
    expect(maskFigures(text)).toBe(text);
  });
});
