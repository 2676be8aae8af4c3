import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SettledHoldings } from "@/components/trading/position/settled-holdings";

type Props = ComponentProps<typeof SettledHoldings>;

/** Renders what an account got, as text without the dots of hidden values. */
const read = (props: Partial<Props>) =>
  renderToStaticMarkup(
    createElement(SettledHoldings, { redemptions: [], held: [], mode: "paper", ...props }),
  )
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");

const WON = {
  outcome: "Ostrel Owls",
  shares: 127.11,
  payoutUsdc: 127.11,
  traded: { boughtUsdc: 60.004, receivedUsdc: 127.11, fees: 1.204 },
};
const LOST = {
  outcome: "Kestrel United",
  shares: 20,
  payoutUsdc: 0,
  traded: { boughtUsdc: 12, receivedUsdc: 3, fees: 0.5 },
};
const HELD = { id: "1", outcome: "No", shares: 20, value: 0, pnl: -7, traded: null };

describe("the banner of a resolved market with nothing to claim", () => {
  it("says what was held and paid, and the profit or loss of all its trades", () => {
    expect(read({ redemptions: [WON] })).toBe(
      "You held 127.11 Ostrel Owls and were paid $127.11. Your buys cost $61.20 with fees, so you made $65.91.",
    );
    expect(read({ redemptions: [LOST] })).toBe(
      "You held 20 Kestrel United and were paid nothing. Your buys cost $12.50 with fees and your sales brought $3.00, so you lost $9.50.",
    );
    expect(
      read({ redemptions: [{ ...WON, traded: { ...WON.traded, boughtUsdc: 127.11, fees: 0 } }] }),
    ).toContain("so you broke even.");
    // Also while the positions are unknown.
    expect(read({ redemptions: [WON, LOST], held: null })).toContain("were paid nothing.");
  });

  it("says only what was held and paid if the wallet may have traded elsewhere", () => {
    const redemptions = [
      { ...WON, traded: null },
      { ...LOST, traded: null },
    ];
    expect(read({ redemptions, mode: "live" }).trim()).toBe(
      "You held 127.11 Ostrel Owls and were paid $127.11. You held 20 Kestrel United and were paid nothing.",
    );
  });

  it("says what shares that pay nothing have lost", () => {
    expect(read({ held: [HELD] })).toBe(
      "You hold 20 No, which pay nothing. They cost $7.00 before fees, so you lost $7.00.",
    );
    expect(read({ redemptions: [WON], held: [HELD] })).toMatch(/made \$65\.91\..*lost \$7\.00\./);
  });

  it("says the cost and the profit of a held position with fees, as after its claim", () => {
    const traded = { boughtUsdc: 7, receivedUsdc: 1, fees: 0.105 };
    expect(read({ held: [{ ...HELD, traded }] })).toBe(
      "You hold 20 No, which pay nothing. Your buys cost $7.11 with fees and your sales brought $1.00, so you lost $6.11.",
    );
  });

  it("says what is known without a redemption", () => {
    expect(read({ held: [] })).toBe("You held no shares when this market was resolved.");
    expect(read({ held: [], mode: "live" })).toBe("You hold no shares in this market now.");
    expect(read({ held: null })).toBe("Your shares can’t be shown right now.");
  });
});
