import { describe, expect, it } from "vitest";
import { describeTrades, type Traded } from "@/components/portfolio/equity-trades";

const OUTCOMES: Traded["outcomes"] = [
  { marketTitle: "Will it rain?", outcome: "Yes", tickSize: "0.01" },
  { marketTitle: "Who wins?", outcome: "Gulls", tickSize: "0.001" },
];

const bought = { outcome: 0, action: "BUY", fills: 2, shares: 120, averagePrice: 0.41 } as const;
const sold = { outcome: 1, action: "SELL", fills: 1, shares: 5.5, averagePrice: 0.4025 } as const;

describe("the text of a point's trades", () => {
  it("names each trade, and how many fills are left out", () => {
    const traded = { point: 3, fills: 7, largest: [bought, sold] };
    expect(describeTrades(traded, OUTCOMES, false)).toBe(
      "7 fills: Bought 120 Yes at 41¢, Will it rain?; Sold 5.5 Gulls at 40.25¢, Who wins?; and 4 more",
    );
  });

  it("counts one fill as one, and leaves out nothing", () => {
    const traded = { point: 3, fills: 1, largest: [sold] };
    expect(describeTrades(traded, OUTCOMES, false)).toBe(
      "1 fill: Sold 5.5 Gulls at 40.25¢, Who wins?",
    );
  });

  it("has no shares while values are hidden", () => {
    const traded = { point: 3, fills: 2, largest: [bought] };
    expect(describeTrades(traded, OUTCOMES, true)).toBe(
      "2 fills: Bought Yes at 41¢, Will it rain?",
    );
  });
});
